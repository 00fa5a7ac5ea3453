import { expect, it } from 'vitest'
import { TypedFields } from './typed-fields.svelte.ts'

const open = () => {
  const fields = new TypedFields<{ name: string; start: boolean }>((key, value) =>
    key === 'name' ? String(value).trim() : value,
  )
  fields.take({ name: 'Meadow', start: false })
  return fields
}

it('what was changed elsewhere while somebody types is asked about, however much is typed since', () => {
  const fields = open()
  fields.type({ name: 'Orc' })
  fields.take({ name: 'Garden', start: false })
  fields.type({ name: 'Orchard' })
  expect(fields.conflicts).toEqual([{ key: 'name', mine: 'Orchard', theirs: 'Garden' }])
  fields.resolve('name', 'theirs')
  expect(fields.conflicts).toEqual([])
  expect(fields.now.name).toBe('Garden')
})

it('whoever types what was set elsewhere has nothing to choose', () => {
  const fields = open()
  fields.type({ name: 'Orchard' })
  fields.take({ name: 'Garden', start: false })
  fields.type({ name: 'Garden' })
  expect(fields.conflicts).toEqual([])
  expect(fields.changed).toEqual({})
})

it("one's own save is no change of somebody else, also where it was sent without the spaces around it", () => {
  const fields = open()
  fields.type({ name: 'Orchard ' })
  const sent = fields.typed
  fields.take({ name: 'Orchard', start: false })
  expect(fields.conflicts).toEqual([])
  expect(fields.changed).toEqual({})
  fields.saved(sent)
  expect(fields.now.name).toBe('Orchard')
})

it('what is typed while it is saved stays', () => {
  const fields = open()
  fields.type({ name: 'Orchard', start: true })
  const sent = fields.typed
  fields.type({ name: 'Orchards' })
  fields.take({ name: 'Orchard', start: true })
  fields.saved(sent)
  expect(fields.conflicts).toEqual([])
  expect(fields.changed).toEqual({ name: 'Orchards' })
})

it('a change that was taken back is nobody’s when it is made elsewhere', () => {
  const fields = open()
  fields.type({ start: true })
  fields.type({ start: false })
  fields.take({ name: 'Meadow', start: true })
  expect(fields.conflicts).toEqual([])
  expect(fields.now.start).toBe(true)
})
