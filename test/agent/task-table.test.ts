import { expect, test } from 'vitest'
import { z } from 'zod'
import { createTaskTable } from '../../src/agent/task-table.ts'
import { identifiersFor } from '../../src/protocol/identifiers.ts'
import { defineTask } from '../../src/protocol/task.ts'
import { constantCost } from '../../src/protocol/task-cost.ts'

test('spec 3.2: tasks/get is accepted as get_task_status, but is not listed', () => {
  const task = defineTask({
    name: 'get_task_status',
    summary: 'Tells how a task stands.',
    area: 'tasks',
    request: z.looseObject({}),
    response: z.looseObject({}),
    access: 'tasks',
    changes: false,
    cost: constantCost(10, 'nothing'),
    handle: async () => ({}),
  })
  const table = createTaskTable([task], identifiersFor('proto'))
  expect(table.find('tasks/get')).toBe(table.find('get_task_status'))
  expect(table.find('tasks/list')).toBeUndefined()
  expect(table.entries.map(({ name }) => name)).toEqual(['get_task_status'])
})
