import type { BoundTool } from '@toolwright/core';
import { ToolIndex } from '../src/tool-index.js';

type Written = Readonly<Record<string, string>>;

/** Tools as servers of these languages have them: names in Latin letters, or numbers, and descriptions in the language. */
const indexOf = (descriptions: Written) => {
  const tools = Object.entries(descriptions).map(([name, description]) => ({
    ...({ kind: 'tool', name, description, annotations: {}, wrapOutput: false } as const),
    inputSchema: { type: 'object' },
  })) as unknown as BoundTool[];
  const index = new ToolIndex<BoundTool>();
  index.keep(tools);
  return (query: string) => index.find(query, tools, 3).map(({ name }) => name);
};

const chinese = indexOf({
  t1: '取消订单。订单发货后不能取消。',
  t2: '查询客户的订单列表',
  t3: '给客户发送发票',
  t4: '退款到原支付方式',
  t5: '上传文件到云盘',
  t6: '删除用户账号',
  t7: '修改收货地址',
  t8: '查询天气预报',
});
const trains = indexOf({
  t1: '查询火车余票信息。出发地和到达地用车站代码。',
  t2: '查询中转余票信息，只返回前十条。',
  t3: '通过城市名查询该城市所有车站的代码。',
  t4: '查询车次的途经车站、到站时间和停留时间。',
  t5: '获取当前日期，用于解析“明天”、“下周三”等相对日期。',
});
const japanese = indexOf({
  t1: '注文を取り消す',
  t2: '顧客の一覧を取得します。',
  t3: '請求書を送信する',
  t4: 'パスワードを変更する',
  t5: '会議室を予約する',
  t6: 'クレジットカードの登録',
  t7: '天気予報を調べる',
  t8: '支払いを払い戻す',
});
const thai = indexOf({
  t1: 'ยกเลิกคำสั่งซื้อ',
  t2: 'ค้นหาลูกค้า',
  t3: 'ส่งใบแจ้งหนี้ให้ลูกค้า',
  t4: 'เปลี่ยนรหัสผ่าน',
  t5: 'จองห้องประชุม',
  t6: 'พยากรณ์อากาศ',
  t7: 'คืนเงิน',
});

test.each([
  ['Chinese', chinese, '帮我取消这个订单', 't1'],
  ['Chinese', chinese, '我想看一下客户的订单', 't2'],
  ['Chinese', chinese, '发送发票', 't3'],
  ['Chinese', chinese, '申请退款', 't4'],
  ['Chinese', chinese, '上传文件', 't5'],
  ['Chinese', chinese, '删除账号', 't6'],
  ['Chinese', chinese, '收货地址修改', 't7'],
  ['Chinese', chinese, '今天的天气', 't8'],
  ['Chinese, with Latin words', chinese, '取消订单API', 't1'],
  ['Chinese', trains, '北京到上海的火车票', 't1'],
  ['Chinese', trains, '中转方案', 't2'],
  ['Chinese', trains, '郑州有哪些车站', 't3'],
  ['Chinese', trains, '今天是什么日期', 't5'],
  ['Japanese', japanese, '注文の取り消し', 't1'],
  ['Japanese', japanese, '注文を取り消してください', 't1'],
  ['Japanese', japanese, '顧客一覧', 't2'],
  ['Japanese', japanese, '請求書の送信', 't3'],
  ['Japanese', japanese, 'パスワード変更', 't4'],
  ['Japanese, in half width', japanese, 'ﾊﾟｽﾜｰﾄﾞを変えたい', 't4'],
  ['Japanese', japanese, '会議室の予約をお願いします', 't5'],
  ['Japanese', japanese, 'カードを登録したい', 't6'],
  ['Japanese', japanese, '天気', 't7'],
  ['Thai', thai, 'ช่วยยกเลิกคำสั่งซื้อให้หน่อย', 't1'],
  ['Thai', thai, 'ค้นหาลูกค้า', 't2'],
  ['Thai', thai, 'ส่งใบแจ้งหนี้', 't3'],
  ['Thai', thai, 'เปลี่ยนรหัสผ่านของฉัน', 't4'],
  ['Thai', thai, 'ต้องการจองห้องประชุม', 't5'],
  ['Thai', thai, 'อากาศ', 't6'],
])('A query in %s finds its tool: %#', (_, found, query, name) => {
  expect(found(query)[0]).toBe(name);
});

test('What such a query does not say is not found', () => {
  expect(chinese('机票')).toEqual([]);
  expect(japanese('飛行機')).toEqual([]);
  expect(thai('เครื่องบิน')).toEqual([]);
});
