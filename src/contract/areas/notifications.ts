import { z } from 'zod'
import { area } from './declare.ts'
import { list } from './operation.ts'

const { planned } = area('notifications')

/** Declared, not built yet: the service answers 501 and the panel shows the area as not offered. */
export const notifications = {
  list: planned.read({
    id: 'notifications.list',
    summary: "Read the authenticated account's notifications",
    path: '/notifications/me',
    origin: { path: 'stated', method: 'assumed', shape: 'assumed' },
    answer: list(z.object({ id: z.string().min(1) }), 'id'),
  }),
  read: planned.write({
    id: 'notifications.read',
    summary: 'Mark read',
    method: 'POST',
    path: '/notifications/read',
    origin: 'assumed',
  }),
}
