import { describe, expect, it } from 'vitest'
import type { Server } from '../../../contract/bridge/values.ts'
import type { RailArrangement } from '../../../contract/rules/rail/rail.ts'
import { Arrangement } from '../../../contract/bridge/rail-calls.ts'
import { sectionsOf } from './rail-sections.ts'
import {
  addFolder,
  markServers,
  moveFolder,
  moveServers,
  removeFolder,
  renameFolder,
  type Step,
} from './steps.ts'

const named = (...ids: string[]): Server[] => ids.map((id) => ({ id, name: id.toUpperCase() }))
const grouped = (id: string, group: string): Server => ({ id, name: id, group })
const nothing: RailArrangement = { loose: [], folders: [], marks: [] }
const after = (...steps: Step[]): RailArrangement => steps.reduce((now, step) => step(now), nothing)
/** `a b | Folder: c d`. */
const shown = (servers: readonly Server[], now?: RailArrangement): string =>
  sectionsOf(servers, now)
    .map(({ id, name, servers: items }) => {
      const ids = items.map((server) => server.id).join(' ')
      return id === null ? ids : `${name}: ${ids}`
    })
    .join(' | ')

const four = named('a', 'b', 'c', 'd')
const top = (before: string | null) => ({ folder: null, before })

describe('the arranged list', () => {
  it('is as the service lists it where nobody arranged anything, with its groups as folders', () => {
    const servers = [...named('b', 'a'), grouped('z', 'Two'), grouped('y', 'One'), grouped('x', 'Two')]
    expect(shown(servers)).toBe('b a | One: y | Two: z x')
  })

  it('appends a server that is new, and gives one that comes back its place', () => {
    const now = after(moveServers(four, ['d'], top('a')), addFolder(four, { id: 'f', name: 'F' }, ['b']))
    expect(shown(four, now)).toBe('d a c | F: b')
    expect(shown(named('new', 'c', 'a'), now)).toBe('a c new | F: ')
    expect(shown(named('a', 'b', 'c', 'd', 'new'), now)).toBe('d a c new | F: b')
  })

  it('keeps the place of one that is gone, whatever is moved meanwhile', () => {
    const now = moveServers(four, ['a'], top(null))(nothing)
    expect(shown(four, now)).toBe('b c d a')
    const without = named('a', 'b', 'd')
    const later = moveServers(without, ['d'], top('b'))(now)
    expect(shown(without, later)).toBe('d b a')
    expect(shown(four, later)).toBe('d b c a')
  })

  it('moves several at once in their order, also onto one of themselves', () => {
    expect(shown(four, after(moveServers(four, ['c', 'a'], top('b'))))).toBe('c a b d')
    expect(shown(four, after(moveServers(four, ['b', 'c'], top('c'))))).toBe('a b c d')
    expect(shown(four, after(moveServers(four, ['c', 'd'], top('c'))))).toBe('a b c d')
    expect(shown(four, after(moveServers(four, ['d'], top('c')), moveServers(four, ['a'], top('c'))))).toBe(
      'b d a c',
    )
  })

  it('moves servers into folders, between them and out again', () => {
    const made = after(
      addFolder(four, { id: 'f', name: 'F' }, ['a', 'b']),
      addFolder(four, { id: 'g', name: 'G' }, ['c']),
    )
    expect(shown(four, made)).toBe('d | F: a b | G: c')
    const moved = moveServers(four, ['c'], { folder: 'f', before: 'b' })(made)
    expect(shown(four, moved)).toBe('d | F: a c b | G: ')
    expect(shown(four, moveServers(four, ['c', 'a'], top('d'))(moved))).toBe('c a d | F: b | G: ')
    expect(shown(four, moveServers(four, ['a'], { folder: 'gone', before: null })(made))).toBe(
      'd a | F: b | G: c',
    )
  })

  it('orders folders, those of groups too, and renames them', () => {
    const servers = [...four, grouped('x', 'One'), grouped('y', 'Two')]
    const made = after(addFolder(servers, { id: 'f', name: 'F' }, ['a']))
    expect(shown(servers, made)).toBe('b c d | One: x | Two: y | F: a')
    const moved = moveFolder(servers, 'f', 'group:Two')(made)
    expect(shown(servers, moved)).toBe('b c d | One: x | F: a | Two: y')
    expect(shown(servers, moveFolder(servers, 'group:One', null)(moved))).toBe(
      'b c d | F: a | Two: y | One: x',
    )
    const renamed = renameFolder(servers, 'group:Two', 'Mine')(moved)
    expect(shown(servers, renamed)).toBe('b c d | One: x | F: a | Mine: y')
    expect(shown([...servers, grouped('z', 'Two')], renamed)).toBe('b c d | One: x | F: a | Mine: y z')
    expect(shown(four, renamed), 'a group without servers is none').toBe('b c d | F: a')
  })

  it('loses no server with its folder, not even one that is away', () => {
    const made = after(addFolder(four, { id: 'f', name: 'F' }, ['a', 'b']))
    const removed = removeFolder(named('a', 'c', 'd'), 'f')(made)
    expect(shown(four, removed)).toBe('c d a b')
    const servers = [...four, grouped('x', 'One')]
    expect(shown(servers, removeFolder(servers, 'group:One')(nothing))).toBe('a b c d x')
  })

  it('marks servers, and takes marks away', () => {
    const made = after(markServers(['a', 'b'], { color: 'red', icon: null }))
    expect(made.marks.map(({ serverId }) => serverId)).toEqual(['a', 'b'])
    expect(markServers(['a'], { color: null, icon: null })(made).marks).toEqual([
      { serverId: 'b', color: 'red', icon: null },
    ])
    const lettered = markServers(['b', 'c'], { icon: 'L' })(made)
    expect(lettered.marks, 'what was not chosen stays').toEqual([
      { serverId: 'a', color: 'red', icon: null },
      { serverId: 'b', color: 'red', icon: 'L' },
      { serverId: 'c', color: null, icon: 'L' },
    ])
    expect(markServers(['b', 'c'], { icon: null })(lettered)).toEqual(made)
    expect(shown(four, made), 'a mark is no place').toBe('a b c d')
  })

  it('stays within what may be kept, whatever a service names', () => {
    const groups = Array.from({ length: 300 }, (_, at) =>
      grouped(`g${at}`, `Group\u0007 ${at} ${'x'.repeat(300)}`),
    )
    const gone = named(...Array.from({ length: 4500 }, (_, at) => `gone${at}`))
    let now = moveServers(gone, ['gone0'], top(null))(nothing)
    now = moveServers([...groups, ...four], ['a'], { folder: null, before: null })(now)
    now = addFolder([...groups, ...four], { id: 'f', name: 'F' }, ['b'])(now)
    expect(Arrangement.safeParse(now).error).toBeUndefined()
    expect(now.folders.find(({ id }) => id === 'f')?.servers).toEqual(['b'])
  })

  it('of 300 servers at each of 10 connections is ready at once', () => {
    const many = named(...Array.from({ length: 300 }, (_, at) => `s${at}`))
    const now = moveServers(many, ['s299'], top('s0'))(nothing)
    for (let at = 0; at < 10; at++) expect(sectionsOf(many, now)[0]?.servers).toHaveLength(300)
  })
})
