import { setTimeout as wait } from 'node:timers/promises'
import { crowd as people, traces } from '../doubles/crowd/crowd.ts'
import type { Case } from './case.ts'
import { ACCOUNT, hashesOfHosts, Host } from './host.ts'

const PEOPLE = ['ann@example.org', 'bob@example.org', 'eve@example.org']

/**
 * Several people create, rename, start and delete servers beside readers; every answer is judged by a model. Then the
 * service ends without a word in the middle of creating and deleting: rows and folders agree when it runs again.
 */
export async function crowd(it: Case): Promise<void> {
  const { stage, chance, long } = it
  const data = stage.at('service')
  for (const email of PEOPLE) {
    const place = ['--data', data, '--create-account', email]
    const made = stage.start('service', place, `${ACCOUNT.password}\n`, hashesOfHosts)
    await made.ended
  }
  const host = await Host.start(stage, { data })
  const baseUrl = `http://${host.host}:${host.port}/api/v1`
  const tokens: string[] = []
  for (const email of PEOPLE) {
    const session = await host.ask('POST', '/auth/login', null, { email, password: ACCOUNT.password })
    tokens.push((session as { token: string }).token)
  }
  for (let round = 0; round < (long ? 10 : 1); round++) {
    const seed = chance.between(0, 2 ** 31)
    const model = await people({ baseUrl, tokens, steps: 30, seed, starts: 2 })
    it.tried += model.answers
    it.wrong.push(...model.wrong)
    await cleared(it, host, tokens)
  }
  for (let round = 0; round < (long ? 20 : 4); round++) {
    await killed(it, host, tokens)
    it.tried++
  }
}

/** Deletes what the last round left, and looks whether anything is left of it. */
async function cleared(it: Case, host: Host, tokens: readonly string[]): Promise<void> {
  for (const token of tokens) {
    for (const { id, name } of await serversOf(host, token))
      await host.ask('DELETE', `/servers/${id}?confirm=${encodeURIComponent(name)}`, token)
  }
  const { ids, running } = await traces(host.data)
  it.expect(ids.join() === host.serverId, `Of deleted servers something is left: ${ids.join(', ')}.`)
  it.expect(running.length === 0, `Programs of deleted servers run: ${running.join(', ')}.`)
}

/** Ends the service while everybody creates and deletes, and compares what is listed with what lies on the disk. */
async function killed(it: Case, host: Host, tokens: readonly string[]): Promise<void> {
  let goOn = true
  const busy = tokens.map(async (token) => {
    const software = { id: 'demo', version: await versionOf(host, token) }
    // Whatever is not answered any more was cut off by the end.
    while (goOn) {
      const made = await host
        .ask('POST', '/servers', token, { name: 'short', memoryMb: 512, software })
        .catch(() => null)
      if (!made) return
      const { id } = made as { id: string }
      await host.ask('DELETE', `/servers/${id}?confirm=short`, token).catch(() => null)
    }
  })
  await wait(it.chance.between(50, 800))
  host.signalKill()
  goOn = false
  await host.ended()
  await Promise.all(busy)
  await host.start()
  const listed = (await Promise.all(tokens.map((token) => serversOf(host, token)))).flat().map(({ id }) => id)
  const { ids } = await traces(host.data)
  const known = [host.serverId, ...listed].sort()
  it.expect(
    ids.join() === known.join(),
    `After a crash ${known.join()} are listed; on the disk are ${ids.join()}.`,
  )
  await cleared(it, host, tokens)
}

async function versionOf(host: Host, token: string): Promise<string | undefined> {
  const { items } = (await host.ask('GET', '/software/demo/versions', token)) as { items: { id: string }[] }
  return items[0]?.id
}

async function serversOf(host: Host, token: string): Promise<{ id: string; name: string }[]> {
  return ((await host.ask('GET', '/servers?limit=200', token)) as { items: { id: string; name: string }[] })
    .items
}
