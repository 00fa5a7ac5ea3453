import { setTimeout as wait } from 'node:timers/promises'
import { refusal, type Refusal } from '../../host/refusal.ts'
import type { Software } from '../software/software.ts'
import { plainLine } from '../../contract/rules/game/plain-line.ts'
import { type AnswerTuning, awaitAnswer } from './awaited-answer.ts'
import type { Driver, ProcessExit, StopLimits } from './programs/driver.ts'
import type { ServerSpec } from './types.ts'

export interface ApartLimits {
  signal: AbortSignal
  minutes: number
  /** Called once the program's files are ready, before it starts. */
  prepared: () => Promise<void>
}

/** Resolves once nothing of an earlier start is left. */
async function left({ survivors }: Driver, id: string): Promise<void> {
  const survivor = survivors.get(id)
  if (survivor?.kind === 'ending') return survivor.gone
  const running = survivor?.resume(nobody, Promise.resolve(null))
  await new Promise<void>((resolve) => {
    if (!running) return resolve()
    running.onExit(() => resolve())
    running.kill()
  })
}

const LINE_CHARS = 200
const nobody = () => undefined

export interface ApartResult {
  /** Seconds until it was ready, or why it never was. */
  result: number | Refusal
  /** It had no network but its own loopback. */
  isCutOff: boolean
}

/**
 * Starts a program that is no server of the list, without a network where that is possible, waits until it says that it
 * is ready, and stops it.
 */
export async function startApart(
  spec: ServerSpec,
  software: Software | undefined,
  driver: Driver,
  { signal, minutes, prepared }: ApartLimits,
  { limits, answer }: { limits: StopLimits; answer: AnswerTuning | undefined },
): Promise<ApartResult> {
  if (!software) throw refusal(404, 'software.not-found')
  const program = await software.program(driver.within(spec))
  const cutOff = await driver.cutOff(program, spec)
  const isCutOff = cutOff !== null
  await prepared()
  // Of a service that was killed.
  await left(driver, spec.id)
  signal.throwIfAborted()
  const over = Promise.withResolvers<'ready' | 'late' | ProcessExit>()
  let [line, isStarting] = ['', true]
  const began = performance.now()
  const running = await driver.start(
    spec,
    cutOff ?? program,
    (lines) => {
      for (const said of lines.map(plainLine)) {
        if (said.trim() !== '') line = said
        if (software.readSign(said)?.kind === 'online') over.resolve('ready')
      }
    },
    nobody,
  )
  const ended = new Promise<void>((resolve) => {
    running.onExit((ending) => {
      over.resolve(ending)
      resolve()
    })
  })
  const limit = new AbortController()
  const stopWaiting = AbortSignal.any([limit.signal, signal])
  try {
    if (!isCutOff)
      void awaitAnswer(spec, () => isStarting, answer, nobody).then((sign) => sign && over.resolve('ready'))
    const late = wait(minutes * 60_000, 'late' as const, { ref: false, signal: stopWaiting })
    const how = await Promise.race([over.promise, late])
    const seconds = (performance.now() - began) / 1000
    if (how === 'ready') return { result: Math.round(seconds * 10) / 10, isCutOff }
    const last = line.slice(0, LINE_CHARS).toWellFormed()
    const result =
      how === 'late'
        ? refusal(409, 'backups.slow', { count: minutes, line: last })
        : refusal(409, 'backups.ended', { how: 'exit-code', code: how.exitCode, line: last })
    return { result, isCutOff }
  } finally {
    isStarting = false
    limit.abort()
    if (signal.aborted) running.kill()
    else running.stop(software.stopCommand, limits, nobody)
    await ended
  }
}
