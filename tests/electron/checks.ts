import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Outcome } from '../../src/contract/bridge/problem.ts'
import type { Transfers } from '../../src/contract/bridge/transfer-values.ts'
import type { AppInfo, Connection } from '../../src/contract/bridge/values.ts'
import type { SecretStore } from '../../src/main/accounts/secret-store.ts'
import { type Check, NotHere } from './rows.ts'

/** The panel's page in its window. */
export interface CheckedPage {
  /** Runs a script in the page, as its own; answers what that comes to. */
  evaluate: (script: string) => Promise<unknown>
  /** Has a file of this computer picked in the page's field with this id. */
  pick: (id: string, file: string) => Promise<void>
}

/** What only Electron has. */
export interface CheckPorts {
  /** Resolves when the window is there. */
  page: () => Promise<CheckedPage>
  secrets: Pick<SecretStore, 'read' | 'write' | 'clear' | 'status' | 'close'>
  /** Puts an icon into the tray and takes it away; false where its picture is empty. */
  tray: () => boolean
  /** Resolves when the system has shown one; rejects where it says that it did not. Null: the system has none. */
  notify: () => Promise<void> | null
  /** The version that a place of updates on this computer offers; null where it was not seen. */
  update: () => Promise<string | null>
  /** A folder that is removed afterwards. */
  folder: string
}

const CHECKED = 'wheelhouse-check'
const FILE_TEXT = 'A file that Wheelhouse checks itself with.\n'

/** What is tried in Electron, in this order: what comes later needs what comes before. */
export function checksOf(ports: CheckPorts): Check[] {
  const evaluate = async (script: string) => (await ports.page()).evaluate(script)
  const call = async <T>(name: string, input?: unknown): Promise<T> => {
    const given = input === undefined ? 'undefined' : JSON.stringify(input)
    return valueOf<T>(await evaluate(`window.panel.call(${JSON.stringify(name)}, ${given})`))
  }
  return [
    { name: 'scheme', run: () => scheme(evaluate) },
    {
      name: 'page without Node',
      run: async () =>
        said('string', await evaluate('[typeof require, typeof process].join()'), 'undefined,undefined'),
    },
    {
      name: 'preload',
      run: async () => {
        const { way, version } = await call<AppInfo>('app.info')
        if (way !== 'electron') throw new Error(`the page is answered as if it were opened in: ${way}`)
        return `main answers the page, version ${version}`
      },
    },
    { name: 'keychain child', run: () => keychain(ports.secrets) },
    {
      name: 'service child',
      run: async () => {
        const { state } = await call<Connection>('connections.this-computer')
        if (state.kind !== 'ready') throw new Error(`the service of this computer is ${state.kind}`)
        return 'started and signed in'
      },
    },
    { name: 'file hand-over', run: () => handOver(ports, evaluate, call) },
    {
      name: 'tray',
      run: async () => {
        if (!ports.tray()) throw new Error('its picture is empty')
        return 'made; whether it can be seen is for you to say'
      },
    },
    { name: 'notifications', run: () => notification(ports.notify) },
    { name: 'updates', run: async () => said('version', await ports.update(), FEED_VERSION) },
  ]
}

/** The version in the feed that is tried. */
export const FEED_VERSION = '999.0.0'

async function scheme(evaluate: (script: string) => Promise<unknown>): Promise<string> {
  const seen = await evaluate('[location.origin, isSecureContext, document.scripts.length > 0].join()')
  return said('page', seen, 'app://panel,true,true')
}

async function keychain(secrets: CheckPorts['secrets']): Promise<string> {
  const [id, secret] = [`${CHECKED}-${randomUUID()}`, randomUUID()]
  try {
    const kept = await secrets.write(id, secret)
    const { kind, reason } = secrets.status()
    if (kept === 'memory' && kind === 'missing') throw new NotHere(reason?.message ?? 'there is no keychain')
    if (kept === 'memory') throw new Error(reason?.message ?? `the keychain is ${kind}`)
    const read = await secrets.read(id)
    if (read.kind !== 'found' || read.token !== secret)
      throw new Error('a secret did not come back as it was kept')
    return 'a secret was kept, read and deleted'
  } finally {
    await secrets.clear(id)
    secrets.close()
  }
}

async function handOver(
  { page, folder }: CheckPorts,
  evaluate: (script: string) => Promise<unknown>,
  call: <T>(name: string, input?: unknown) => Promise<T>,
): Promise<string> {
  const file = join(folder, `${CHECKED}.txt`)
  await writeFile(file, FILE_TEXT)
  await evaluate(
    `void document.body.append(Object.assign(document.createElement('input'), { type: 'file', id: '${CHECKED}', hidden: true }))`,
  )
  await (await page()).pick(CHECKED, file)
  const to = JSON.stringify({ connectionId: 'local', serverId: CHECKED, folder: '' })
  const picked = `{ file: document.getElementById('${CHECKED}').files[0], path: '${CHECKED}.txt' }`
  const queued = await evaluate(`window.panel.upload({ to: ${to}, files: [${picked}], folders: [] })`)
  const { transferId } = valueOf<{ transferId: string }>(queued)
  const { items } = await call<Transfers>('transfers.list')
  // The server it goes to does not exist: it may have ended by itself.
  await call('transfers.cancel', { transferId }).catch(() => undefined)
  const bytes = items.find(({ id }) => id === transferId)?.bytes
  return said('size of the file', bytes, FILE_TEXT.length)
}

async function notification(notify: CheckPorts['notify']): Promise<string> {
  const shown = notify()
  if (shown === null) throw new NotHere('this system has no notifications')
  await shown
  return 'the system says that it showed one'
}

function said(what: string, seen: unknown, wanted: string | number): string {
  if (seen !== wanted) throw new Error(`${what} is ${String(seen)}, not ${wanted}`)
  return `${what}: ${wanted}`
}

function valueOf<T>(answer: unknown): T {
  const outcome = answer as Outcome<T>
  if (!outcome.ok) throw new Error(outcome.problem.message)
  return outcome.value
}
