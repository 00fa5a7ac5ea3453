import { fillWithPlayers } from '../../fixtures/world-of-players.ts'
import type { Attack } from './attacks.ts'
import { told } from './hands.ts'

/** As many as a list of players holds, each with a file of what the game counts. */
const PLAYERS = [2000, 10_000] as const

/** Ways to ask for more than one's share of what a server knows of its players. */
export const attacksOnPlayers: Attack[] = [
  {
    name: 'long lists of players, their statistics and visits, twenty of each at once',
    prepare: (folder, long) => fillWithPlayers(folder, PLAYERS[long ? 1 : 0]),
    act: async (hands, until) => {
      const what = ['', 'stats/', 'sessions/']
      let at = 0
      return told(
        await hands.again(60, until, () =>
          hands.ask('GET', `/servers/players/${what[at++ % what.length]}:id?limit=2000`),
        ),
      )
    },
  },
  {
    name: 'a hundred players put on the whitelist and taken off again, sixteen times at once',
    act: async (hands, until) => {
      let at = 0
      return told(
        await hands.again(16, until, () => {
          const names = Array.from({ length: 100 }, (_, index) => `Builder_${index + 1}`)
          const action = at++ % 2 === 0 ? 'whitelist-add' : 'whitelist-remove'
          return hands.ask('POST', '/servers/players/act/:id', { action, names })
        }),
      )
    },
  },
]
