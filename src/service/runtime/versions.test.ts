import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import type { Software } from '../software/software.ts'
import { RuntimeFixture, tempFolder } from './runtime.fixture.ts'

/** A runtime with one kind of software, whose catalog never answers. */
async function open(more: { versionsMs?: number } = {}) {
  const folder = await tempFolder()
  const asked = new EventTarget()
  const silent: Software = {
    ...{ id: 'silent', name: 'Silent', description: '', stopCommand: 'stop', maxPlayers: 1 },
    readSign: () => null,
    program: () => Promise.reject(new Error('It is not installed.')),
    async versions(signal) {
      asked.dispatchEvent(new Event('asked'))
      await once(signal, 'abort')
      throw signal.reason
    },
  }
  const it = await RuntimeFixture.open({ dataDir: folder.path, software: [silent], ...more })
  onTestFinished(async () => {
    await it.close()
    await folder.remove()
  })
  return { it, asked }
}

test('a catalog that takes too long is told with what to do', async () => {
  const { it } = await open({ versionsMs: 20 })
  expect(await it.call('GET', '/software/silent/versions')).toMatchObject({
    status: 503,
    body: { error: { code: 'software.catalogue-slow', message: expect.stringContaining('Try again') } },
  })
})

test('who waits for a catalog while the service closes is told so', async () => {
  const { it, asked } = await open()
  const begun = once(asked, 'asked')
  const answer = it.runtime.versions('silent')
  await begun
  await Promise.all([
    expect(answer).rejects.toMatchObject({ status: 503, code: 'service.stopping' }),
    it.runtime.close(),
  ])
})
