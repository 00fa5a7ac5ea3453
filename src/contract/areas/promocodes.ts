import { area } from './declare.ts'

const { planned } = area('promocodes')

/** Declared, not built yet: the service answers 501 and the panel shows the area as not offered. */
export const promocodes = {
  activate: planned.write({
    id: 'promocodes.activate',
    summary: 'Activate a promocode',
    method: 'POST',
    path: '/promocodes/activate',
    origin: 'assumed',
  }),
  list: planned.read({
    id: 'promocodes.list',
    summary: 'My used promotions and benefits',
    path: '/promocodes/me',
    origin: 'assumed',
  }),
}
