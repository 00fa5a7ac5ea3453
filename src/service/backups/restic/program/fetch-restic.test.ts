import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  openDownloads,
  patient,
  serveBytes,
  startFileServer,
  sumOf,
} from '../../../../../tests/doubles/file-server.ts'
import { rawZip } from '../../../../../tests/fixtures/raw-zip.ts'
import { temporaryFolder } from '../../../service.fixture.ts'
import { BUILDS, fetchedRestic, fetchRestic } from './fetch-restic.ts'

const PROGRAM = Buffer.from('#!/bin/sh\necho "restic 0.18.1 compiled with go1.25.1 on linux/amd64"\n')
const hasBzip2 = spawnSync('bzip2', ['--version'], { stdio: 'ignore' }).error === undefined

async function published(name: string, bytes: Buffer, sum = sumOf(bytes).value) {
  const server = await startFileServer((request, response) => serveBytes(request, response, bytes))
  const folder = await temporaryFolder()
  const downloads = openDownloads(path.join(folder, 'downloads'))
  const options = { base: server.url, builds: { here: [name, sum] as const }, computer: 'here' }
  const fetch = () => fetchRestic({ downloads, folder, wanted: patient(), ...options })
  return { server, folder, fetch }
}

describe.skipIf(process.platform === 'win32')('restic that is fetched', () => {
  test.runIf(hasBzip2)('is what was published, unpacked once, and there without its server', async () => {
    const { server, folder, fetch } = await published(
      'linux_amd64.bz2',
      execFileSync('bzip2', ['-c'], { input: PROGRAM }),
    )
    expect(await fetch()).toEqual({ executable: fetchedRestic(folder), version: '0.18.1' })
    expect(server.asked).toEqual(['/v0.18.1/restic_0.18.1_linux_amd64.bz2'])
    await server.close()
    expect(await fetch()).toMatchObject({ version: '0.18.1' })
    expect(readdirSync(folder).toSorted()).toEqual(['downloads', 'restic-0.18.1'])
  })

  test('comes out of a zip as well', async () => {
    const zip = rawZip([{ name: 'restic_0.18.1_windows_amd64.exe', content: PROGRAM }])
    expect(await (await published('windows_amd64.zip', zip)).fetch()).toMatchObject({ version: '0.18.1' })
  })

  test('is not taken where its bytes are others, and leaves nothing', async () => {
    const { folder, fetch } = await published('linux_amd64.bz2', PROGRAM, sumOf(Buffer.from('x')).value)
    await expect(fetch()).rejects.toMatchObject({ code: 'software.download-wrong' })
    // Right bytes that are no bzip2 file.
    const other = await published('linux_amd64.bz2', PROGRAM)
    await expect(other.fetch()).rejects.toThrow('no bzip2 file')
    for (const at of [folder, other.folder]) expect(existsSync(path.dirname(fetchedRestic(at)))).toBe(false)
    expect(readdirSync(other.folder)).toEqual(['downloads'])
  })

  test('is published for each computer that Wheelhouse is', () => {
    const computers = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'win32-x64']
    expect(Object.keys(BUILDS).toSorted()).toEqual(computers)
    for (const [, sha256] of Object.values(BUILDS)) expect(sha256).toMatch(/^[\da-f]{64}$/)
  })
})
