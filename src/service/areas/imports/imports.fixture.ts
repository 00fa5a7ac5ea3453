import path from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { offerFill } from '../../../../tests/doubles/catalogs/catalog-answers.ts'
import { CatalogServer } from '../../../../tests/doubles/catalogs/catalog-server.ts'
import { paperJar, VERSION } from '../../../../tests/fixtures/moved-server.ts'
import { type Answer, openTestService, temporaryFolder } from '../../service.fixture.ts'
import type { ServiceOptions } from '../../service.ts'

/** A service whose catalogs are on loopback, and somebody who has an account there. */
export async function openImports(given: Partial<ServiceOptions> & { token?: string } = {}) {
  const catalogs = await CatalogServer.start()
  const { token, dataDir: folder = await temporaryFolder(), ...options } = given
  const test = await openTestService({ ...options, dataDir: folder, catalogs: catalogs.settings })
  onTestFinished(async () => {
    await test.service.close(true)
    await catalogs.stop()
  })
  offerFill(catalogs, 'paper', [{ id: VERSION, java: 17, builds: [{ id: 499, jar: await paperJar() }] }])
  const calls = callsOf(test, token ?? (await test.account('ann@example.org')))
  return { ...calls, test, folder, catalogs }
}

/** What somebody with this token asks. */
export function callsOf(test: Awaited<ReturnType<typeof openTestService>>, token: string) {
  const ask = (route: string, body?: unknown): Promise<Answer> => test.call(route, { token, body })
  const send = async (id: string, name: string, content: Buffer): Promise<number> => {
    const form = new FormData()
    form.append('path', name)
    form.append('file', new Blob([new Uint8Array(content)]), 'x')
    const answer = await fetch(`${test.baseUrl}/servers/files/upload/${id}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}` },
      body: form,
    })
    await answer.text()
    return answer.status
  }
  const looked = async (id: string, archive?: string) => {
    const begun = await ask(`POST /imports/look/${id}`, archive === undefined ? {} : { archive })
    expect(begun.status).toBe(202)
    await expect
      .poll(async () => (await ask(`GET /imports/${id}`)).body.state, { interval: 10, timeout: 20_000 })
      .toMatch(/ready|failed/)
    return (await ask(`GET /imports/${id}`)).body
  }
  return {
    token,
    ask,
    send,
    looked,
    begin: async (): Promise<string> => (await ask('POST /imports')).body.id,
    /** Sends an archive and has it looked at. */
    async sent(archive: Buffer, name = 'server.zip') {
      const id = (await ask('POST /imports')).body.id as string
      expect(await send(id, name, archive)).toBe(201)
      return { id, ...(await looked(id, name)) }
    },
    create: (id: string, more: object = {}) =>
      ask(`POST /imports/create/${id}`, {
        ...{
          name: 'Moved in',
          software: { id: 'paper', version: VERSION },
          memoryMb: 512,
          acceptLicense: true,
        },
        ...more,
      }),
    reaches: (id: string, wanted: string) =>
      expect
        .poll(async () => (await ask(`GET /servers/status/${id}`)).body.status, {
          interval: 20,
          timeout: 20_000,
        })
        .toBe(wanted),
    said: async (id: string): Promise<string[]> =>
      (await ask(`GET /servers/console/${id}`)).body.items.map(({ text }: { text: string }) => text),
  }
}

/** The folder of a server. */
export const folderOf = (dataDir: string, id: string, ...parts: string[]) =>
  path.join(dataDir, 'servers', id, ...parts)
