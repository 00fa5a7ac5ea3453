import { randomBytes } from 'node:crypto'
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { NO_SFTP } from '../../../tests/fixtures/sftp-server.ts'
import type { Transfer } from '../../contract/bridge/transfer-values.ts'
import { signedIn as atPterodactyl } from './pterodactyl.fixture.ts'
import { signedIn as atSftp } from './sftp.fixture.ts'

type SignedIn = Pick<Awaited<ReturnType<typeof atSftp>>, 'panel' | 'call' | 'until' | 'folder' | 'ref'>

/** Makes small files on this computer; answers what is in them, by name. */
function madeIn(folder: string, count: number): Map<string, Buffer> {
  const made = new Map<string, Buffer>()
  for (let at = 0; at < count; at++) {
    const [name, bytes] = [`region ${at % 7}/r.${at}.mca`, randomBytes(at * 211)]
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), bytes)
    utimesSync(path.join(folder, name), 1_700_000_000, 1_700_000_000 + at)
    made.set(name, bytes)
  }
  return made
}

/** Sends a folder, until that has ended or a question is asked. */
async function sent({ panel, call, until, ref }: SignedIn, file: string) {
  const before = (await call('transfers.list', undefined)).items.map(({ id }) => id)
  await panel.upload({ to: { ...ref, folder: '' }, files: [{ file, path: 'world' }], folders: [] })
  const isIt = ({ id, endedAt, asking }: Transfer) =>
    !before.includes(id) && (endedAt !== null || asking !== null)
  const { items } = await until('transfers', ({ items: all }) => all.some(isIt))
  return items.find(isIt)!
}

test.skipIf(NO_SFTP)('many small files arrive together, and what is there is asked about', async () => {
  const panel = await atSftp()
  const { call, folder, files } = panel
  const made = madeIn(path.join(folder, 'world'), 120)
  expect(await sent(panel, path.join(folder, 'world'))).toMatchObject({ state: 'done', filesDone: 120 })
  const [some = ''] = made.keys()
  for (const [name, bytes] of made) {
    const there = path.join(files, 'world', name)
    expect(readFileSync(there).equals(bytes), name).toBe(true)
    expect(statSync(there).mtimeMs).toBe(statSync(path.join(folder, 'world', name)).mtimeMs)
  }
  writeFileSync(path.join(files, 'world', some), 'theirs', { mode: 0o600 })
  const again = await sent(panel, path.join(folder, 'world'))
  expect(readFileSync(path.join(files, 'world', some), 'utf8')).toBe('theirs')
  const { id: transferId, asking } = again
  await call('transfers.answer', { transferId, itemId: asking!.itemId, choice: 'replace', forAll: true })
  await expect
    .poll(() => readFileSync(path.join(files, 'world', some)).equals(made.get(some)!), { timeout: 10_000 })
    .toBe(true)
  const names = () => readdirSync(path.join(files, 'world'), { recursive: true, encoding: 'utf8' })
  await expect.poll(() => names().filter((name) => name.endsWith('.part')), { timeout: 10_000 }).toEqual([])
})

test.skipIf(NO_SFTP)('small files do not follow a folder that leads out', async () => {
  const panel = await atSftp()
  const { folder, files } = panel
  madeIn(path.join(folder, 'world'), 10)
  mkdirSync(path.join(files, 'world'))
  mkdirSync(path.join(folder, 'outside'))
  symlinkSync(path.join(folder, 'outside'), path.join(files, 'world/region 3'))
  expect(await sent(panel, path.join(folder, 'world'))).toMatchObject({ filesDone: 9, filesFailed: 1 })
  expect(readdirSync(path.join(folder, 'outside'))).toEqual([])
})

test('small files go to a Pterodactyl server together, with few requests to the panel', async () => {
  const panel = await atPterodactyl()
  const { folder, files, host } = panel
  const made = madeIn(path.join(folder, 'world'), 120)
  expect(await sent(panel, path.join(folder, 'world'))).toMatchObject({ state: 'done', filesDone: 120 })
  for (const [name, bytes] of made)
    expect(readFileSync(path.join(files, 'world', name)).equals(bytes), name).toBe(true)
  expect(host.seen.filter(({ path: one }) => one.includes('/files/')).length).toBeLessThan(40)
})

test('where a machine may be read only, small files go one by one', async () => {
  const panel = await atPterodactyl()
  const { folder, files, host } = panel
  host.sftp.isReadOnly = true
  const made = madeIn(path.join(folder, 'world'), 5)
  expect(await sent(panel, path.join(folder, 'world'))).toMatchObject({ state: 'done', filesDone: 5 })
  for (const [name, bytes] of made)
    expect(readFileSync(path.join(files, 'world', name)).equals(bytes), name).toBe(true)
})
