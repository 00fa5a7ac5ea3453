import { area } from './operation.ts'

const { planned } = area('notifications')

/** Declared, not built yet: the service answers 501 and the panel shows the area as not offered. */
export const notifications = {
  list: planned({
    id: 'notifications.list',
    summary: "Read the authenticated account's notifications",
    method: 'GET',
    path: '/notifications/me',
    origin: { path: 'stated', method: 'assumed', shape: 'assumed' },
  }),
  read: planned({
    id: 'notifications.read',
    summary: 'Mark read',
    method: 'POST',
    path: '/notifications/read',
    origin: 'assumed',
  }),
}
