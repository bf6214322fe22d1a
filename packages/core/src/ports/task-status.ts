export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';
