import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { answerJson, oddService, type OddAnswer } from '../../../tests/doubles/services/odd-service.ts'
import type { OperationOf, PassedId, ViewId } from '../../contract/areas/index.ts'
import type { OutputOf } from '../../contract/declarations/operation.ts'
import type { CallInput, CallName, CallOutput } from '../../contract/bridge/calls.ts'
import type { EventName, Events } from '../../contract/bridge/events.ts'
import type { SendInput, ViewInput, ViewValue } from '../../contract/bridge/passed.ts'
import type { View } from '../../contract/bridge/values.ts'
import { memoryStore } from '../accounts/secret-store.ts'
import { nodeLauncher } from '../local/node-launcher.ts'
import { noLog } from '../logging/log.ts'
import { createPanel, type Panel } from './panel.ts'
import type { Ports } from '../base/ports.ts'
import type { WindowLink } from '../base/windows.ts'

/** Tests only: what a whole panel stands on, with the real service as a child process. */
export const testPorts = (dataDir: string): Ports => ({
  dataDir,
  version: 'test',
  way: 'browser',
  local: { kind: 'ready' },
  nodePath: process.execPath,
  secrets: memoryStore('This is a test.'),
  launcher: nodeLauncher,
  log: noLog,
  openExternal: async () => {},
  now: Date.now,
})

/** Tests only: a window that keeps what it is sent and can wait for it. Calls throw their problem. */
export function openWindow(panel: Panel) {
  const seen: { event: EventName; value: unknown }[] = []
  const waits = new Set<() => void>()
  const link: WindowLink = {
    send: (event, value) => {
      seen.push({ event, value })
      for (const check of waits) check()
    },
    pressure: () => 0,
  }
  panel.attach(link)
  async function call<N extends CallName, const In extends CallInput<N>>(
    name: N,
    input: In,
  ): Promise<CallOutput<N, In>> {
    const outcome = await panel.call(name, input, link)
    if (!outcome.ok) throw Object.assign(new Error(outcome.problem.message), { problem: outcome.problem })
    return outcome.value as CallOutput<N, In>
  }
  const view = <V extends ViewId>(view: V, input: ViewInput<V>, again = false) =>
    call('view.read', { view, ...input, again } as never) as Promise<View<ViewValue<V>>>
  const send = <W extends PassedId>(operation: W, input: SendInput<W>) =>
    call('operation.send', { operation, ...input } as never) as Promise<OutputOf<OperationOf<W>>>
  /** Waits until an event, past (from `begin` on) or coming, is of the kind wanted. */
  function until<E extends EventName>(
    event: E,
    wanted: (value: Events[E]) => boolean,
    begin = 0,
  ): Promise<Events[E]> {
    return new Promise((resolve) => {
      let at = begin
      const check = () => {
        for (; at < seen.length; at++) {
          const one = seen[at]
          if (one?.event !== event || !wanted(one.value as Events[E])) continue
          waits.delete(check)
          return resolve(one.value as Events[E])
        }
      }
      waits.add(check)
      check()
    })
  }
  return { link, call, view, send, until, seen }
}

/** Tests only: a panel that is signed in at a service which answers as the test says. */
export async function panelAt(routes: Record<string, OddAnswer>) {
  const folder = await mkdtemp(join(tmpdir(), 'failed-reads-'))
  const service = await oddService({
    'GET /users/me': (_request, response) => answerJson(response, { id: 'u', name: 'Ann' }),
    'POST /servers/power/a': (_request, response) => answerJson(response, { accepted: true }, 202),
    ...routes,
  })
  const panel = await createPanel(testPorts(folder))
  onTestFinished(async () => {
    await panel.close()
    await service.close()
    await rm(folder, { recursive: true })
  })
  const window = openWindow(panel)
  const { id } = await window.call('connections.use-token', { baseUrl: service.baseUrl, token: 'good' })
  return { ...window, panel, folder, connectionId: id, routes: service.routes }
}
