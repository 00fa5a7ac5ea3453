import { createHash } from 'node:crypto'
import { onTestFinished } from 'vitest'
import { CatalogServer } from '../../../../../tests/doubles/catalogs/catalog-server.ts'
import { temporary } from '../../../../host/temporary.fixture.ts'
import type { RemoteFile } from '../../catalog.ts'
import { CatalogClient, type ClientLimits } from '../../../../extensions/requests/catalog-client.ts'
import { makeCatalogs } from './catalogs.ts'

/** A clock that a test holds; whoever waits by it has waited at once. */
export class HeldClock {
  ms = Date.parse('2026-11-01T00:00:00Z')
  readonly waited: number[] = []

  now = (): number => this.ms
  elapsed = (): number => this.ms
  wait = async (ms: number): Promise<void> => {
    this.waited.push(ms)
    this.ms += ms
  }
}

export const MINUTE = 60_000

/** A server of catalogs and a client, which end with the test. */
export async function catalogs(limits: Partial<ClientLimits> = {}, folder = temporary()) {
  const server = await CatalogServer.start()
  const clock = new HeldClock()
  const { contact } = server.settings
  const open = (more: Partial<ClientLimits> = limits) =>
    new CatalogClient({ folder, contact, clock, limits: more, wait: clock.wait })
  const client = open()
  onTestFinished(async () => {
    await client.close()
    await server.stop()
  })
  const { signal } = new AbortController()
  return { server, clock, client, folder, open, signal, settings: server.settings }
}

/** The catalog of each kind, over one server. */
export async function kinds() {
  const all = await catalogs()
  return { ...all, ...makeCatalogs(all.client, all.settings) }
}

/** Fetches a file as a download would, and tells whether its bytes are those that its checksum promises. */
export async function isAsPromised({ url, size, checksum }: RemoteFile): Promise<boolean> {
  const answer = await fetch(url)
  const bytes = Buffer.from(await answer.arrayBuffer())
  const { algorithm, value } = checksum!
  return (
    answer.ok &&
    createHash(algorithm).update(bytes).digest('hex') === value &&
    (size === null || size === bytes.length)
  )
}
