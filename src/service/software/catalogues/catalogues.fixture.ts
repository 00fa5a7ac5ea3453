import { onTestFinished } from 'vitest'
import { CatalogueServer } from '../../../../tests/fixtures/catalogue-server.ts'
import { temporary } from '../../../computer/temporary.fixture.ts'
import { CatalogueClient, type ClientLimits } from './catalogue-client.ts'

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

/** A server of catalogues and a client, which end with the test. */
export async function catalogues(limits: Partial<ClientLimits> = {}, folder = temporary()) {
  const server = await CatalogueServer.start()
  const clock = new HeldClock()
  const { contact } = server.settings
  const open = (more: Partial<ClientLimits> = limits) =>
    new CatalogueClient({ folder, contact, clock, limits: more, wait: clock.wait })
  const client = open()
  onTestFinished(async () => {
    await client.close()
    await server.stop()
  })
  const { signal } = new AbortController()
  return { server, clock, client, folder, open, signal, settings: server.settings }
}
