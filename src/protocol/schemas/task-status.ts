// The seven task statuses (spec 3.2) that are sent, and the nine that may be received: other 3.x servers also send
// auth-required and unknown.

import { z } from 'zod'
import { TASK_STATUSES } from '../statuses.ts'

export const taskStatus = z.enum(TASK_STATUSES)
/** How a task stands. */
export type TaskStatus = z.infer<typeof taskStatus>

export const receivedTaskStatus = z.enum([...TASK_STATUSES, 'auth-required', 'unknown'])
export type ReceivedTaskStatus = z.infer<typeof receivedTaskStatus>
