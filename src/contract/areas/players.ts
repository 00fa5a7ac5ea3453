import { area } from './declare.ts'

const { planned } = area('players')

/** Declared, not built yet: the service answers 501 and the panel shows the area as not offered. */
export const players = {
  list: planned.read({
    id: 'players.list',
    summary: 'List players',
    path: '/servers/players/:serverId',
    origin: 'assumed',
    scope: 'players.read',
  }),
  stats: planned.read({
    id: 'players.stats',
    summary: 'Player statistics of the server',
    path: '/servers/players/stats/:serverId',
    origin: { path: 'stated', method: 'assumed', shape: 'assumed' },
    scope: 'players.read',
  }),
}
