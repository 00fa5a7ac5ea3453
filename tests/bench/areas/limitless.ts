import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { programEnvironment, programFlags } from '../../../build/scripts/project.js'

/** A service in a process of its own whose limits of accounts are lifted. */
export interface LimitlessService {
  baseUrl: string
  close(): Promise<void>
}

/** Starts it on a data folder, which is left where it is. */
export async function startLimitless(data: string): Promise<LimitlessService> {
  const file = join(import.meta.dirname, 'limitless-service.ts')
  const service = spawn(process.execPath, [...programFlags, file, data], {
    env: programEnvironment(),
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = new Promise((resolve) => service.once('exit', resolve))
  const close = async () => {
    service.stdin.end()
    await ended
  }
  for await (const line of createInterface(service.stdout)) {
    const baseUrl = /^Service: (\S+)$/.exec(line)?.[1]
    if (baseUrl) return { baseUrl, close }
  }
  throw new Error('The service ended before it said its address.')
}
