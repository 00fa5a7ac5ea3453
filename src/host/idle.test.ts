import { execFileSync } from 'node:child_process'
import { setImmediate as turn } from 'node:timers/promises'
import { runInNewContext } from 'node:vm'
import { expect, it, onTestFinished, vi } from 'vitest'
import { collectGarbage, onIdle, WorkWatch } from './idle.ts'

/** What is answered at each look, for the CPU time used between them in milliseconds. */
function looks(...used: number[]): boolean[] {
  const watch = new WorkWatch(1000)
  let cpu = 1000
  return used.map((ms) => watch.look((cpu += ms)))
}

it('rests once after work, when it has done little for three looks', () => {
  expect(looks(5000, 10, 10, 10, 10, 10, 10)).toEqual([false, false, false, true, false, false, false])
})

it('rests again after further work only', () => {
  expect(looks(5000, 0, 0, 0, 0, 0, 0, 300)).toEqual(Array(8).fill(false).with(3, true))
  expect(looks(5000, 0, 0, 0, 0, 0, 300, 0, 0, 0, 0)).toEqual(
    Array(11).fill(false).with(3, true).with(9, true),
  )
})

it('does not rest between two pieces of work, nor while it works, nor where it never did', () => {
  expect(looks(5000, 0, 0, 300, 0, 0, 300, 0, 0, 5000, 5000)).not.toContain(true)
  expect(looks(...Array<number>(100).fill(200))).not.toContain(true)
})

it('looks by itself, and no more when it is told to stop', () => {
  vi.useFakeTimers()
  const usage = vi.spyOn(process, 'cpuUsage').mockReturnValue({ user: 0, system: 0 })
  onTestFinished(() => {
    vi.useRealTimers()
    usage.mockRestore()
  })
  let rests = 0
  const stop = onIdle(() => void rests++)
  usage.mockReturnValue({ user: 1_000_000, system: 1_000_000 })
  vi.advanceTimersByTime(60_000)
  expect(rests).toBe(1)
  usage.mockReturnValue({ user: 1_000_000, system: 2_000_000 })
  stop()
  vi.advanceTimersByTime(60_000)
  expect(rests).toBe(1)
})

it('collects what nobody holds any more, and leaves nothing that others could call', async () => {
  const holder: { held: object | null } = { held: { bytes: new Uint8Array(1024 * 1024) } }
  const reference = new WeakRef(holder.held!)
  // A WeakRef that was just made or read holds its object until the turn is over.
  await turn()
  collectGarbage()
  expect(reference.deref()).toBe(holder.held)
  holder.held = null
  await turn()
  collectGarbage()
  expect(reference.deref()).toBeUndefined()
  expect(runInNewContext('typeof gc')).toBe('undefined')
})

it.runIf(process.platform === 'linux')('gives back what the work took of the memory', () => {
  const program = `
    const { collectGarbage } = await import(${JSON.stringify(import.meta.resolve('./idle.ts'))})
    let held = Array.from({ length: 400_000 }, (_, at) => ({ at, name: ['x', at] }))
    const { rss } = process.memoryUsage()
    held = null
    await new Promise(setImmediate)
    collectGarbage()
    process.stdout.write(String(rss - process.memoryUsage().rss))`
  const back = execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
  // Of some 70 MB. What is collected as ever leaves 2 MB of it.
  expect(Number(back)).toBeGreaterThan(30_000_000)
})
