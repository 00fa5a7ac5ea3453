import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { api } from '../../contract/areas/index.ts'
import { service } from './client.fixture.ts'
import { PanelProblem } from '../base/problem.ts'
import { readValue } from './answers/read-answer.ts'

/** Twenty thousand files under names that the contract does not have. */
const drifting = () =>
  Array.from({ length: 20_000 }, (_, at) => ({
    ...{ fileName: `f${at}`, Kind: 'FILE', size: `${at}`, modified_at: 1_700_000_000 + at },
  }))

it('a long list that drifts lets others go on while it is read, and is read as it is in one go', async () => {
  const items = drifting()
  const text = JSON.stringify(items)
  await using at = await service((_request, response) => void response.end(text))
  let turns = 0
  let isOver = false
  const turn = () => {
    turns++
    if (!isOver) setImmediate(turn)
  }
  const reading = at.client.send(api.files.list, { params: { serverId: 's' } })
  setImmediate(turn)
  const { value } = await reading
  isOver = true
  expect(turns).toBeGreaterThan(2)
  expect(value.items).toHaveLength(items.length)
  expect(value).toEqual(readValue(api.files.list, text, { contentType: 'application/json' }).value)
})

it('lists of a plan and of changes that are longer than the built-in service makes them are read whole', () => {
  const read = (operation: Parameters<typeof readValue>[0], answer: object) =>
    readValue(operation, JSON.stringify(answer), { contentType: 'application/json' }).value
  const many = <T>(one: T, count: number) => Array.from({ length: count }, () => one)
  for (const drift of [{}, { copy_bytes: '1' }]) {
    const extensions = many({ name: 'A' }, 700)
    const plan = read(api.software.plan, {
      ...drift,
      items: many({ kind: 'mods-stop', count: 700, extensions }, 60),
    })
    expect(plan).toMatchObject({ items: many({ extensions }, 60) })
  }
  const changes = [...many('a', 700), 'x'.repeat(5000)]
  expect(read(api.software.builds, { items: [{ id: '2', changes }] })).toMatchObject({ items: [{ changes }] })
})

it.each(['its caller breaks it off', 'the client is closed'])(
  'a long list that is being read when %s is not answered',
  async (what) => {
    // What is packed cannot be read while it comes.
    const packed = gzipSync(JSON.stringify(drifting()))
    let isSent = false
    await using at = await service((_request, response) => {
      response.once('close', () => (isSent = true))
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }).end(packed)
    })
    const over = new AbortController()
    const reason = new Error('The window was closed.')
    const read = at.client.send(api.files.list, { params: { serverId: 's' } }, { signal: over.signal })
    let isOver = false
    // A turn that takes long is one of reading.
    const watch = (before: number) => {
      const now = performance.now()
      if (isSent && now - before > 8) {
        if (what === 'the client is closed') at.client.close()
        else over.abort(reason)
      } else if (!isOver) setImmediate(watch, now)
    }
    setImmediate(watch, performance.now())
    const outcome = await read.then(
      () => 'answered',
      (fault: unknown) => fault,
    )
    isOver = true
    if (what === 'the client is closed') expect(outcome).toBeInstanceOf(PanelProblem)
    else expect(outcome).toBe(reason)
  },
)
