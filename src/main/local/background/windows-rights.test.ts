import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { newSecret, readEndpoint, writeEndpoint } from './endpoint-file.ts'
import { onlyForMe } from './windows-rights.ts'

const env = { SystemRoot: 'D:\\Windows', USERDOMAIN: 'HOME', USERNAME: 'Ann Doe' }

const folderOf = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rights-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

it('on Windows a file is left to this user alone, whatever its folder lets in', async () => {
  const ran: unknown[] = []
  const run = async (file: string, args: readonly string[]) => void ran.push([file, ...args])
  await onlyForMe('C:\\data\\background.json', { platform: 'win32', env, run })
  expect(ran).toEqual([
    [
      'D:\\Windows\\System32\\icacls.exe',
      'C:\\data\\background.json',
      '/inheritance:r',
      '/grant:r',
      'HOME\\Ann Doe:F',
    ],
  ])
  await onlyForMe('/data/background.json', { platform: 'linux', env, run })
  expect(ran).toHaveLength(1)
})

it('the secret is written only once others are kept out, and nowhere where they are not', async () => {
  const folder = await folderOf()
  const endpoint = { port: 1234, pid: 1, secret: newSecret(), version: '1.0.0' }
  let seen = 'nothing'
  await writeEndpoint(folder, endpoint, async (file) => {
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    seen = await readFile(file, 'utf8')
  })
  expect(seen).toBe('')
  expect(await readEndpoint(folder)).toEqual(endpoint)
  expect((await stat(join(folder, 'background.json'))).mode & 0o777).toBe(0o600)

  const other = await folderOf()
  const run = () => Promise.reject(new Error('The parameter is incorrect'))
  await expect(
    writeEndpoint(other, endpoint, (file) => onlyForMe(file, { platform: 'win32', env, run })),
  ).rejects.toThrow(/readable by you alone \(The parameter is incorrect\)/)
  expect(await readdir(other)).toEqual([])
  expect(existsSync(join(other, 'background.json'))).toBe(false)
})
