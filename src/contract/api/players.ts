import { area } from './operation.ts'

const { planned } = area('players')

/** Declared, not built yet: the service answers 501 and the panel shows the area as not offered. */
export const players = {
  list: planned({
    id: 'players.list',
    summary: 'List players',
    method: 'GET',
    path: '/servers/players/:serverId',
    origin: 'assumed',
  }),
  stats: planned({
    id: 'players.stats',
    summary: 'Player statistics of the server',
    method: 'GET',
    path: '/servers/players/stats/:serverId',
    origin: { path: 'stated', method: 'assumed', shape: 'assumed' },
  }),
}
