import { area } from './operation.ts'

const { planned } = area('promocodes')

/** Declared, not built yet: the service answers 501 and the panel shows the area as not offered. */
export const promocodes = {
  activate: planned({
    id: 'promocodes.activate',
    summary: 'Activate a promocode',
    method: 'POST',
    path: '/promocodes/activate',
    origin: 'assumed',
  }),
  list: planned({
    id: 'promocodes.list',
    summary: 'My used promotions and benefits',
    method: 'GET',
    path: '/promocodes/me',
    origin: 'assumed',
  }),
}
