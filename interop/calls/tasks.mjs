// The tasks about tasks: see index.mjs.
export function taskCalls(add, { key }) {
  add('list_tasks', {})
  add('list_tasks', { pagination: { max_results: 1 }, include_history: true })
  add('list_tasks', { filters: { statuses: ['canceled'] } })
  add('list_tasks', { filters: { statuses: ['odd'] } })
  add('get_task_status', (s) => ({
    task_id: s.task_id ?? 'none',
    include_history: true,
    include_result: true,
  }))
  add('get_task_status', { task_id: 'none' })
  add('cancel_task', { ...key(), task_id: 'none' })
}
