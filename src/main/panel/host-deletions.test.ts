import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { NO_SFTP } from '../../../tests/fixtures/sftp-server.ts'
import { signedIn as atPterodactyl } from './pterodactyl.fixture.ts'
import { signedIn as atSftp } from './sftp.fixture.ts'

test.each([
  ['a Pterodactyl panel', null, atPterodactyl],
  ['a host of SFTP', NO_SFTP, atSftp],
])('texts that are deleted at %s are kept here', async (_host, missing, signedIn) => {
  if (missing !== null) return
  const { call, files, ref } = await signedIn()
  mkdirSync(path.join(files, 'config'))
  writeFileSync(path.join(files, 'config/a.yml'), 'motd: before')
  const paths = ['config/a.yml']
  await expect(call('files.remove', { ...ref, paths, permanent: false })).rejects.toMatchObject({
    problem: { code: 'changed' },
  })
  expect(existsSync(path.join(files, 'config/a.yml'))).toBe(true)
  await call('files.remove', { ...ref, paths, permanent: true })
  expect(existsSync(path.join(files, 'config/a.yml'))).toBe(false)
  const [kept] = await call('files.former', { ...ref, path: 'config/a.yml' })
  expect(await call('files.former-text', { ...ref, id: kept!.id })).toEqual({ text: 'motd: before' })
})
