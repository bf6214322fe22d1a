import os,re,collections,sys
root='packages/core/src'
files={}
for d,_,fs in os.walk(root):
  for f in fs:
    if f.endswith('.ts') and not f.endswith('.test.ts'):
      p=os.path.join(d,f); files[os.path.relpath(p,root)]=open(p).read()
imp=collections.defaultdict(set)
for p,t in files.items():
  for m in re.finditer(r"""(?:import|export)\s+(type\s+)?(\{[^}]*\}|[^'"{;]*?)\s*from\s+['"](\.{1,2}/[^'"]+)['"]""",t):
    if m.group(1): continue
    b=m.group(2)
    if b.startswith('{') and all(x.strip().startswith('type ') for x in b[1:-1].split(',') if x.strip()): continue
    q=os.path.normpath(os.path.join(os.path.dirname(p),m.group(3))).replace('.js','.ts')
    imp[p].add(q)
# tarjan
idx={};low={};st=[];on=set();out=[]
sys.setrecursionlimit(10000)
def go(v):
  idx[v]=low[v]=len(idx);st.append(v);on.add(v)
  for w in imp[v]:
    if w not in idx: go(w);low[v]=min(low[v],low[w])
    elif w in on: low[v]=min(low[v],idx[w])
  if low[v]==idx[v]:
    c=[]
    while True:
      w=st.pop();on.discard(w);c.append(w)
      if w==v:break
    if len(c)>1: out.append(c)
for v in list(files):
  if v not in idx: go(v)
for c in out: print(c, [ (a,b) for a in c for b in imp[a] if b in c])
