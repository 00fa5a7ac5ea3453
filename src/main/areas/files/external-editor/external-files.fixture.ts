import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { ExternalFile } from '../../../../contract/bridge/external-editor-calls.ts'
import { openWindow, testPorts } from '../../../panel/panel.fixture.ts'
import { createPanel, type Panel } from '../../../panel/panel.ts'
import { oddFiles } from '../odd-files.fixture.ts'

/** Tests only: a panel in a window of its own, signed in at a service with files; what the system is told to do is written down. */
export async function atServer(odd: Parameters<typeof oddFiles>[0] = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'external-editor-'))
  await mkdir(join(folder, 'data'))
  const service = await oddFiles(odd)
  const opened: string[] = []
  const revealed: string[] = []
  const system = { fault: '' }
  const begin = () =>
    createPanel({
      ...testPorts(join(folder, 'data')),
      way: 'electron',
      downloadsFolder: join(folder, 'downloads'),
      systemFiles: {
        open: async (path) => {
          opened.push(path)
          return system.fault
        },
        reveal: (path) => void revealed.push(path),
        pickFolder: async () => null,
        pickPlace: async () => null,
        pickThere: async () => [],
      },
    })
  let panel: Panel = await begin()
  onTestFinished(async () => {
    await panel.close()
    await service[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  })
  const signIn = async () => {
    const window = openWindow(panel)
    const { baseUrl } = service.listener
    const { id } = await window.call('connections.use-token', { baseUrl, token: 't' })
    return { ...window, ref: { connectionId: id, serverId: 's' } }
  }
  const again = async (after: () => Promise<unknown> = async () => undefined) => {
    await panel.close()
    await after()
    panel = await begin()
    return signIn()
  }
  const kept = async (name: string) => await readFile(join(folder, 'downloads', name), 'utf8')
  return { ...(await signIn()), folder, service, opened, revealed, system, again, kept }
}

export type EditorFixture = Awaited<ReturnType<typeof atServer>>

export const putAt = ({ service }: EditorFixture, path: string, text: string) =>
  service.files.set(path, Buffer.from(text))
export const textAt = ({ service }: EditorFixture, path: string) => service.files.get(path)?.toString()
export const openAt = async (at: EditorFixture, path: string, readOnly = false) => {
  const file = await at.call('external-editor.open', { ...at.ref, path, readOnly })
  return { file, here: at.opened.at(-1)! }
}
/** Waits until a file stands as wanted. */
export const until = (
  { until }: Pick<EditorFixture, 'until'>,
  id: string,
  kind: ExternalFile['state']['kind'],
  begin = 0,
) => until('external-files', (all) => all.some((one) => one.id === id && one.state.kind === kind), begin)
export const told = (thrown: unknown) => (thrown as { problem: { code: string; message: string } }).problem
