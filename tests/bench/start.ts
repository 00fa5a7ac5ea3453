import { fork } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { at, programEnvironment, programFlags } from '../../build/scripts/project.js'
import { serviceOfMany } from '../doubles/services/service-of-many.ts'
import { ask, buildPathPanel, endPathPanel, forkPathPanel } from './by-path.ts'
import { inTurns, ratioOf } from './pairs.ts'
import { median, type Outcome } from './table.ts'

const CONNECTIONS = 10
const SERVERS = 30

/** From the start of the program until it answers the first list of servers from its cache. */
export async function benchStart(): Promise<Outcome> {
  await buildPathPanel()
  const data = await mkdtemp(join(tmpdir(), 'wheelhouse-bench-start-'))
  const connectionIds = await fillCache(data)
  const firsts: number[] = []
  let lost = 0
  try {
    const rounds = await inTurns(
      'start of the panel',
      {
        limit: () => bareStart(join(data, 'cache.db')),
        ours: async () => {
          const began = performance.now()
          const panel = forkPathPanel(data)
          const list = await ask(panel, 'connections.list', undefined)
          firsts.push(performance.now() - began)
          const { value } = await ask(panel, 'view.read', {
            view: 'servers.list',
            connectionId: connectionIds[0]!,
          })
          const took = performance.now() - began
          if (list.length !== CONNECTIONS || value?.items.length !== SERVERS) lost += 1
          await endPathPanel(panel)
          return took
        },
      },
      ['limit'],
    )
    return {
      bench: 'start',
      lost,
      figures: [
        ratioOf(rounds, 'ours', 'limit', {
          name: 'start of the program → first view from the cache ÷ bare Node',
          target: 2,
          limitIs: 'a Node program that opens the same database and answers the same list',
        }),
        { name: '  start of the program → list of connections', value: median(firsts), unit: 'ms' },
      ],
    }
  } finally {
    await rm(data, { recursive: true, force: true })
  }
}

/** A panel that was used before: lists of 300 servers on 10 connections. Their services are gone by the next start. */
async function fillCache(data: string): Promise<string[]> {
  const services = await Promise.all(
    Array.from({ length: CONNECTIONS }, (_, index) => serviceOfMany(index, SERVERS)),
  )
  const panel = forkPathPanel(data)
  const ids: string[] = []
  for (const { baseUrl } of services) {
    const { id } = await ask(panel, 'connections.use-token', { baseUrl, token: 'a-token' })
    const read = () => ask(panel, 'view.read', { view: 'servers.list', connectionId: id })
    while (!(await read()).value) await new Promise((resolve) => setTimeout(resolve, 50))
    ids.push(id)
  }
  await endPathPanel(panel)
  for (const service of services) await service.close()
  return ids
}

/** A bare program with the same flags; answers ms until it has told the list. */
async function bareStart(file: string): Promise<number> {
  const began = performance.now()
  const bare = fork(at('tests/bench/bare-start.js'), [file], {
    env: programEnvironment(),
    execArgv: [...programFlags],
  })
  const exit = new Promise((resolve) => bare.once('exit', resolve))
  const items = await new Promise<number>((resolve, reject) => {
    bare.once('message', (list: { items: unknown[] }) => resolve(list.items.length))
    bare.once('error', reject)
    bare.once('exit', (code) => reject(new Error(`The bare program ended with exit code ${code}.`)))
  })
  const took = performance.now() - began
  await exit
  if (items !== SERVERS) throw new Error(`The bare program found ${items} servers.`)
  return took
}
