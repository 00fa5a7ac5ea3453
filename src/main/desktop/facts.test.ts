import { expect, it } from 'vitest'
import type { Transfer } from '../../contract/bridge/transfer-values.ts'
import { alertOf } from './alerts/alert.ts'
import { Facts } from './facts.ts'
import { desktopWords } from './words.ts'

const transfer = (id: string, state: Transfer['state'], more: Partial<Transfer> = {}): Transfer => ({
  ...{ id, kind: 'upload', state, name: 'world.zip', others: 0, from: null, folder: '' },
  server: { connectionId: 'c', serverId: 's' },
  ...{ files: 1, filesDone: 0, filesFailed: 0, filesSkipped: 0, bytes: 1, bytesDone: 0 },
  ...{ rate: null, secondsLeft: null, problem: null, asking: null, createdAt: '', endedAt: null },
  ...more,
})
const words = desktopWords('en')

/** What the system is told where transfers stand one after the other as given. */
function told(...steps: Transfer[][]) {
  const facts = new Facts()
  return steps.map((items) => facts.takeTransfers(items).map((happening) => alertOf(happening, words)))
}

it('a transfer that ends is told once, and one that had ended before is not', () => {
  expect(
    told(
      [transfer('a', 'done'), transfer('b', 'running')],
      [transfer('a', 'done'), transfer('b', 'done')],
      [transfer('a', 'done'), transfer('b', 'done')],
    ),
  ).toEqual([
    [],
    [{ key: 'transfer b', title: 'Upload finished', body: 'world.zip', to: '#/c/c/s/s/files' }],
    [],
  ])
})

it('one that is too short to be seen on its way is told too, and one that a person canceled is not', () => {
  const [, short] = told([], [transfer('a', 'done', { kind: 'download' }), transfer('b', 'cancelled')])
  expect(short?.map(({ title }) => title)).toEqual(['Download finished'])
})

it('a server that falls asleep is no crash, and one that woke has started', () => {
  const facts = new Facts()
  facts.take('connections', [{ id: 'c' } as never])
  const at = (status: string) =>
    facts.takeView('servers.list', 'c', {
      ...{ value: { items: [{ id: 's', name: 'Meadow', status }] }, asOf: null, stale: false, problem: null },
    })
  const told = ['online', 'stopping', 'sleeping', 'starting', 'online'].map((status) =>
    at(status).map(({ kind }) => kind),
  )
  expect(told).toEqual([[], [], [], [], ['online']])
})

it('says of each kind how it ended, and of several files how many', () => {
  const [, ended] = told(
    [],
    [
      transfer('a', 'failed', { others: 2 }),
      transfer('b', 'done', { kind: 'copy', name: 'a\nb'.repeat(100) }),
    ],
  )
  expect(ended?.[0]).toMatchObject({ title: 'A transfer ended with errors', body: 'world.zip and 2 more' })
  expect(ended?.[1]?.title).toBe('Copy finished')
  expect(ended?.[1]?.body).not.toContain('\n')
  expect(ended?.[1]?.body.length).toBeLessThanOrEqual(60)
})

it('one that is begun again is told when it ends again', () => {
  const [, , again] = told([transfer('a', 'failed')], [transfer('a', 'running')], [transfer('a', 'done')])
  expect(again).toHaveLength(1)
})
