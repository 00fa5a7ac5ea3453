import { expect, it } from 'vitest'
import { Draft } from './draft.svelte.ts'

interface Fields {
  name: string
  start: boolean
}

/** A draft, and what changes the values of the service. */
const open = () => {
  let now: Fields = $state.raw({ name: 'Meadow', start: false })
  const plain = (value: Fields[keyof Fields]) => String(value).trim()
  const draft = new Draft<Fields>(
    (key) => now[key],
    (_key, one, other) => plain(one) === plain(other),
  )
  return { draft, take: (next: Fields) => void (now = next) }
}

it('what was changed elsewhere while somebody types is asked about, however much is typed since', () => {
  const { draft, take } = open()
  draft.set('name', 'Orc')
  take({ name: 'Garden', start: false })
  draft.set('name', 'Orchard')
  expect(draft.conflicts).toEqual([{ key: 'name', mine: 'Orchard', theirs: 'Garden' }])
  draft.resolve('name', 'theirs')
  expect(draft.conflicts).toEqual([])
  expect(draft.get('name')).toBe('Garden')
})

it('whoever types what was set elsewhere has nothing to choose', () => {
  const { draft, take } = open()
  draft.set('name', 'Orchard')
  take({ name: 'Garden', start: false })
  draft.set('name', 'Garden')
  expect(draft.conflicts).toEqual([])
  expect(draft.changed).toEqual({})
})

it("one's own save is no change of somebody else, also where it was sent without the spaces around it", async () => {
  const { draft, take } = open()
  draft.set('name', 'Orchard ')
  await draft.save(async () => {
    take({ name: 'Orchard', start: false })
    expect(draft.conflicts).toEqual([])
    expect(draft.changed).toEqual({})
  })
  expect(draft.get('name')).toBe('Orchard')
})

it('what is typed while it is saved stays', async () => {
  const { draft, take } = open()
  draft.set('name', 'Orchard')
  draft.set('start', true)
  await draft.save(async () => {
    draft.set('name', 'Orchards')
    draft.set('start', false)
    take({ name: 'Orchard', start: true })
    expect(draft.conflicts).toEqual([])
  })
  expect(draft.conflicts).toEqual([])
  expect(draft.changed).toEqual({ name: 'Orchards', start: false })
})

it('a save that failed leaves the changes, and asks of what somebody else did meanwhile', async () => {
  const { draft, take } = open()
  draft.set('name', 'Orchard')
  const failure = new Error('changed')
  const failed = draft.save(() => Promise.reject(failure)).catch((thrown: unknown) => thrown)
  expect(await failed).toBe(failure)
  take({ name: 'Garden', start: true })
  expect(draft.conflicts).toEqual([{ key: 'name', mine: 'Orchard', theirs: 'Garden' }])
  draft.resolve('name', 'mine')
  expect(draft.conflicts).toEqual([])
  expect(draft.changed).toEqual({ name: 'Orchard' })
  draft.discard()
  expect(draft.get('name')).toBe('Garden')
})

it('a change that was taken back is nobody’s when it is made elsewhere', () => {
  const { draft, take } = open()
  draft.set('start', true)
  draft.set('start', false)
  take({ name: 'Meadow', start: true })
  expect(draft.conflicts).toEqual([])
  expect(draft.get('start')).toBe(true)
})
