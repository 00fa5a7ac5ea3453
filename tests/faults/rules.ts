import { setTimeout as after } from 'node:timers/promises'
import type { BackupWorld } from './backup-world.ts'
import { killDuring, PATIENCE } from './changes.ts'

const NIGHTLY = {
  ...{ name: 'Nightly', enabled: true, missed: 'run' },
  when: { cron: '0 5 1 1 *', timeZone: 'Europe/Berlin' },
  steps: ['backup', 'restart', 'try-backup'].map((kind) => ({
    ...(kind === 'restart' ? { kind: 'power', power: kind } : { kind }),
    onFailure: 'stop',
  })),
}
/** The service is killed while a rule backs a running server up, restarts it and tries the backup. */
export async function rulesKilled(world: BackupWorld): Promise<void> {
  const { it, servers, id } = world
  const rule = (await servers.ask('POST', `/servers/schedules/${id}`, NIGHTLY)) as { id: string }
  const runs = async () =>
    ((await servers.ask('GET', `/servers/schedules/${id}/${rule.id}/runs`)) as { items: { state: string }[] })
      .items
  const run = () => servers.ask('POST', `/servers/schedules/${id}/${rule.id}/run`)
  const ended = async () => {
    const end = Date.now() + PATIENCE
    for (; ; await after(10)) {
      const [newest] = await runs()
      if (newest && !['waiting', 'running'].includes(newest.state)) return newest.state
      if (Date.now() > end) throw new Error(`The run is still ${newest?.state}.`)
    }
  }
  await world.reaches('online')
  // So long it takes: the kill has to fall into it.
  const began = performance.now()
  await run()
  it.expect((await ended()) === 'done', 'The rule does not run.')
  const whole = performance.now() - began
  const seen: Record<string, number> = {}
  for (let round = 1; round <= (it.long ? 20 : 1); round++) {
    await killDuring(it, world.host, whole, run)
    await world.startAgain()
    const result = await ended()
    seen[result] = (seen[result] ?? 0) + 1
    it.expect(['interrupted', 'done'].includes(result), `After the kill the run is ${result}.`)
    const { length } = await runs()
    it.expect(length === round + 1, `The rule was run ${round + 1} times, and ${length} runs are told.`)
    await world.expectSound()
    await world.expectSaving()
  }
  await run()
  const last = await ended()
  it.expect(last === 'done', `The rule can't be run any more: it is ${last}.`)
  it.note(
    `Runs of the killed service: ${Object.entries(seen)
      .map(([how, times]) => `${times} ${how}`)
      .join(', ')}.`,
  )
}
