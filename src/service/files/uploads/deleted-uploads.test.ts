import { readdir, stat, utimes } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { heldClock, startTestService } from '../../service.fixture.ts'
import { answerOf, patchHeaders, stagingOf, startUploads } from './uploads.fixture.ts'

test('a deleted upload is gone, and so is one that was left alone for a day', async () => {
  const clock = heldClock(Date.now())
  const it = await startUploads({ clock })
  const { tus } = it
  const [a, b] = [await tus.create(10, { path: 'a' }), await tus.create(10, { path: 'b' })]
  expect((await tus.send('DELETE', a.headers.location ?? '')).status).toBe(204)
  expect((await tus.send('HEAD', a.headers.location ?? '')).status).toBe(404)
  await tus.patch(b.headers.location ?? '', 0, Buffer.from('123'))
  const id = String(b.headers.location).split('/').at(-1) ?? ''
  const old = new Date(Date.now() - 25 * 60 * 60 * 1000)
  // A clock that is set says nothing about how long nobody wrote to it.
  clock.set(26 * 60 * 60 * 1000)
  expect(await tus.offset(b.headers.location ?? '')).toBe(3)
  clock.set(-26 * 60 * 60 * 1000)
  clock.forward(25 * 60 * 60 * 1000)
  await utimes(path.join(stagingOf(it), `${id}.part`), old, old)
  const late = await tus.patch(b.headers.location ?? '', 3, Buffer.from('4'))
  expect([late.status, late.body.error.code]).toEqual([404, 'files.upload-not-found'])

  // The next start sweeps it.
  expect((await readdir(stagingOf(it))).sort()).toEqual([`${id}.json`, `${id}.part`])
  await it.service.close(true)
  await startTestService({ dataDir: it.service.dataDir })
  await expect.poll(() => readdir(stagingOf(it))).toEqual([])
})

test('deleting a server removes what was being sent to it', async () => {
  const it = await startUploads()
  const { tus } = it
  const { headers } = await tus.create(1000, { path: 'a.dat' })
  const request = tus.begin('PATCH', headers.location ?? '', { ...patchHeaders(0), 'Content-Length': '1000' })
  const broken = answerOf(request).then(
    ({ status }) => status,
    () => 'cut',
  )
  request.write(Buffer.alloc(500))
  await expect.poll(async () => (await tus.send('HEAD', headers.location ?? '')).status).toBe(423)
  const gone = await it.call(`DELETE /servers/${it.serverId}?confirm=Mine`, { token: it.token })
  expect(gone.status).toBe(204)
  expect(await broken).toBe('cut')
  await expect(stat(path.join(it.service.dataDir, 'staging', it.serverId))).rejects.toThrow('ENOENT')
  expect((await tus.send('HEAD', headers.location ?? '')).status).toBe(404)
})
