import { describe, expect, it } from 'vitest'
import { completionOf } from './complete-command.ts'
import { learnFrom } from './help-commands.ts'

const know = ({
  history = [],
  learned = [],
  players = [],
}: {
  history?: string[]
  learned?: string[]
  players?: string[]
} = {}) => ({ history: () => history, learned: () => learned, players: () => players })

describe('what completes a command', () => {
  it.each([
    ['wh', 'whitelist'],
    ['/wh', '/whitelist'],
    ['whitelist a', 'whitelist add'],
    ['gamemode c', 'gamemode creative'],
    ['difficulty ', 'difficulty peaceful'],
    ['time set n', 'time set night'],
    ['gamerule keepinv', 'gamerule keepInventory'],
    ['gamerule keepInventory f', 'gamerule keepInventory false'],
    ['Gamemode sp', 'Gamemode spectator'],
  ])('the game’s own: %s', (text, full) => {
    expect(completionOf(text, know())).toBe(full)
  })

  it.each([
    ['op l', 'op Linus42'],
    ['op ', 'op Ann'],
    ['gamemode survival L', 'gamemode survival Linus42'],
    ['whitelist remove A', 'whitelist remove Ann'],
    ['tp Ann Li', 'tp Ann Linus42'],
  ])('players who are on: %s', (text, full) => {
    expect(completionOf(text, know({ players: ['Ann', 'Linus42'] }))).toBe(full)
  })

  it('what was sent before comes first, the newest', () => {
    const history = ['say good night', 'say good morning', 'whatever now']
    expect(completionOf('say g', know({ history }))).toBe('say good night')
    expect(completionOf('say good m', know({ history }))).toBe('say good morning')
    expect(completionOf('WHAT', know({ history }))).toBe('whatever')
  })

  it('commands that the help of this server showed', () => {
    const lines = [
      '[05:57:23 INFO]: /afk: Marks you as away',
      '[05:57:23] [Server thread/INFO]: /fly <player>',
      '/lp',
      '[05:57:24 INFO]: Ann issued server command: /login secret',
      '[05:57:24 INFO]: <Ann> /warp',
      '[05:57:24 INFO]: /a/b is no command',
    ]
    const learned = [...learnFrom('here', lines)]
    expect(learned).toEqual(['afk', 'fly', 'lp'])
    expect(learnFrom('elsewhere', [])).toEqual([])
    expect(completionOf('af', know({ learned }))).toBe('afk')
  })

  it.each([
    '',
    ' ',
    'say hello',
    'whitelist',
    'whitelist list ',
    'nothing known',
    'op  a',
    'constructor ',
    'a\nwh',
  ])('nothing where nothing is known: %j', (text) => {
    expect(completionOf(text, know({ players: ['Ann'] }))).toBeNull()
  })

  it('never a name that is more than a word, and never a command of several lines', () => {
    expect(completionOf('op ', know({ players: ['a b', '\u202eevil', 'x'.repeat(99), 'Ann'] }))).toBe(
      'op Ann',
    )
    expect(completionOf('say', know({ history: ['say a\nstop', `say ${'x'.repeat(300)}`] }))).toBeNull()
  })

  it('reads players only where one may stand', () => {
    const players = (): never => {
      throw new Error('Nobody needs them here.')
    }
    expect(completionOf('gamemode s', { ...know(), players })).toBe('gamemode survival')
  })

  it('keeps no more than it may', () => {
    for (let server = 0; server < 30; server++) learnFrom(`${server}`, ['/one'])
    expect(learnFrom('0', [])).toEqual([])
    expect(learnFrom('29', [])).toEqual(['one'])
    const many = Array.from({ length: 2000 }, (_, at) => `/c${at}`)
    expect(learnFrom('29', many)).toHaveLength(500)
  })
})
