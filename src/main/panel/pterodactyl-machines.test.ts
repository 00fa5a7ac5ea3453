import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { keeping, type SignedIn, signedIn } from './pterodactyl.fixture.ts'

const MIB = 1024 * 1024
const PASSWORD = 'a pässword of steve'
const HOST_KEY = /^ssh-ed25519 SHA256:[A-Za-z0-9+/]{43}$/

type Uploader = Pick<SignedIn, 'panel' | 'until' | 'seen' | 'folder' | 'ref' | 'call'>

/** How the upload of a file ended, and why it failed. */
async function uploaded({ panel, until, seen, folder, ref, call }: Uploader, name: string, size: number) {
  writeFileSync(path.join(folder, name), randomBytes(size))
  const from = seen.length
  await panel.upload({
    to: { ...ref, folder: '' },
    files: [{ file: path.join(folder, name), path: name }],
    folders: [],
  })
  const isEnded = (one: { name: string; endedAt: string | null }) => one.name === name && one.endedAt !== null
  const { items } = await until('transfers', ({ items: all }) => all.some(isEnded), from)
  const transferId = items.find(isEnded)!.id
  const failed = await call('transfers.items', { transferId, only: 'failed', offset: 0, limit: 1 })
  return failed.items[0]?.problem?.message ?? 'done'
}

const isIn = ({ files, folder }: Pick<SignedIn, 'files' | 'folder'>, name: string) =>
  readFileSync(path.join(files, name)).equals(readFileSync(path.join(folder, name)))

test('where no SSH key is taken, the account’s password opens the machines that were shown, and is nowhere else', async () => {
  const secrets = keeping()
  const panel = await signedIn({ secrets })
  const { host, server, call, ref, data, restart } = panel
  const { connectionId } = ref
  host.refusesSshKeys = true
  host.wings.uploadMostMb = 1
  host.sftp.password = PASSWORD
  expect(await uploaded(panel, 'first.bin', 2 * MIB)).toMatch(/enter your password under Files over SFTP/)

  const machine = `127.0.0.1:${host.sftp.port}`
  const unmet = await call('connections.machines', { connectionId, meets: false })
  expect(unmet).toEqual({ machines: [{ machine, hostKey: null }], password: 'none' })
  const { machines: met } = await call('connections.machines', { connectionId, meets: true })
  expect(met).toEqual([{ machine, hostKey: expect.stringMatching(HOST_KEY) as string }])
  const machines = [{ machine, hostKey: met[0]!.hostKey! }]
  expect(host.sftp.passwords).toEqual([])
  await expect(
    call('connections.enter-machines', { connectionId, password: 'a wrong one', machines }),
  ).rejects.toMatchObject({ problem: { code: 'invalid', fields: { password: [expect.any(String)] } } })
  await call('connections.enter-machines', { connectionId, password: PASSWORD, machines })
  expect(await uploaded(panel, 'second.bin', 2 * MIB)).toBe('done')
  expect(isIn(panel, 'second.bin')).toBe(true)
  expect(new Set(host.sftp.entered)).toEqual(new Set([`steve.${server.uuid.slice(0, 8)}`]))

  const again = { ...panel, ...(await restart()) }
  expect(await uploaded(again, 'third.bin', 2 * MIB)).toBe('done')
  for (const entry of readdirSync(data, { recursive: true, withFileTypes: true }))
    if (entry.isFile())
      expect(readFileSync(path.join(entry.parentPath, entry.name)).includes(PASSWORD)).toBe(false)
  expect(JSON.stringify([host.seen, host.wings.heard, again.seen])).not.toContain(PASSWORD)
  await again.call('connections.sign-out', { connectionId })
  expect(await secrets.read(`machine-password ${connectionId}`)).toEqual({ kind: 'absent' })
})

test('a password that is no longer taken is not sent again until another one is entered', async () => {
  const panel = await signedIn()
  const { host, call, ref } = panel
  const { connectionId } = ref
  host.refusesSshKeys = true
  host.sftp.password = PASSWORD
  const enter = async (password: string) => {
    const { machines } = await call('connections.machines', { connectionId, meets: true })
    const shown = machines.map(({ machine, hostKey }) => ({ machine, hostKey: hostKey! }))
    await call('connections.enter-machines', { connectionId, password, machines: shown })
  }
  const state = async () => (await call('connections.machines', { connectionId, meets: false })).password
  await enter(PASSWORD)
  host.sftp.password = 'another'
  // The panel's own way is still open.
  expect(await uploaded(panel, 'a.bin', 1000)).toBe('done')
  expect(await state()).toBe('refused')
  const tried = host.sftp.passwords.length
  expect(await uploaded(panel, 'b.bin', 1000)).toBe('done')
  expect(host.sftp.passwords).toHaveLength(tried)
  await enter('another')
  expect(await state()).toBe('kept')
  await call('connections.forget-machine-password', { connectionId })
  expect(await state()).toBe('none')
})

test('a password goes to no machine whose key was not shown, nor to one that shows another key', async () => {
  const panel = await signedIn()
  const { host, call, ref } = panel
  const { connectionId } = ref
  host.refusesSshKeys = true
  host.sftp.password = PASSWORD
  const elsewhere = [{ machine: '127.0.0.1:1', hostKey: 'ssh-ed25519 SHA256:abc' }]
  await expect(
    call('connections.enter-machines', { connectionId, password: PASSWORD, machines: elsewhere }),
  ).rejects.toMatchObject({ problem: { serviceCode: 'host.no-machine' } })
  const forged = [{ machine: `127.0.0.1:${host.sftp.port}`, hostKey: 'ssh-ed25519 SHA256:abc' }]
  await expect(
    call('connections.enter-machines', { connectionId, password: PASSWORD, machines: forged }),
  ).rejects.toMatchObject({ problem: { serviceCode: 'host.host-key' } })
  expect(host.sftp.passwords).toEqual([])
})

test('the key of a machine is shown, and forgotten by hand when that was set up anew', async () => {
  const panel = await signedIn()
  const { host, call, ref, files, restart } = panel
  const { connectionId } = ref
  mkdirSync(path.join(files, 'world'))
  expect(await uploaded(panel, 'a.bin', 1000)).toBe('done')
  const keyOf = async (meets: boolean) =>
    (await call('connections.machines', { connectionId, meets })).machines[0]!
  const { machine, hostKey } = await keyOf(false)
  expect([machine, hostKey]).toEqual([`127.0.0.1:${host.sftp.port}`, expect.stringMatching(HOST_KEY)])
  await host.sftp.close()
  await host.sftp.start()
  const again = { ...panel, ...(await restart()) }
  expect(await uploaded(again, 'b.bin', 1000)).toMatch(
    /another key .* forget the former one under Files over SFTP in your account/,
  )
  await again.call('connections.forget-machine', { connectionId, machine })
  expect(await uploaded(again, 'c.bin', 1000)).toBe('done')
  const { machines } = await again.call('connections.machines', { connectionId, meets: false })
  expect(machines[0]!.hostKey).toMatch(HOST_KEY)
  expect(machines[0]!.hostKey).not.toBe(hostKey)
})
