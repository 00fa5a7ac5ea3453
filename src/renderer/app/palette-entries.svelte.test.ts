import { describe, expect, it } from 'vitest'
import type { PaletteEntry } from '../features/feature.ts'
import { bestMatches } from './palette-entries.ts'

const entry = (name: string, note = '', reason: string | null = null): PaletteEntry => ({
  id: name,
  group: 'servers',
  name,
  note,
  reason,
  choose: () => undefined,
})
const found = (typed: string, ...entries: PaletteEntry[]) =>
  bestMatches(entries, typed).map((one) => one.name)

describe('the palette', () => {
  it('shows everything in its order while nothing is typed', () => {
    expect(found(' ', entry('b'), entry('a'))).toEqual(['b', 'a'])
  })

  it('puts the beginning of a name before the beginning of a word, and that before anywhere', () => {
    expect(found('sky', entry('Whisky'), entry('Old Sky'), entry('Skyblock'))).toEqual([
      'Skyblock',
      'Old Sky',
      'Whisky',
    ])
  })

  it('finds by the note and by letters in order', () => {
    expect(found('hosting', entry('Lobby', 'Online · hosting.example'), entry('Creative'))).toEqual(['Lobby'])
    expect(found('crtv', entry('Creative'), entry('Lobby'))).toEqual(['Creative'])
  })

  it('offers only what can be done now while nothing is typed', () => {
    expect(found('', entry('Start', '', 'It runs already.'), entry('Stop'))).toEqual(['Stop'])
  })

  it('finds a player by what is done with them', () => {
    expect(found('ban ada', entry('Ada', 'Message, kick, ban…'), entry('Bo', 'Message, kick, ban…'))).toEqual(
      ['Ada'],
    )
  })

  it('puts what can be done now before what cannot', () => {
    expect(found('s', entry('Start', '', 'It runs already.'), entry('Stop'))).toEqual(['Stop', 'Start'])
  })
})
