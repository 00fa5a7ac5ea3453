/* Renews a claim on a folder in a thread of its own, which goes on while the program waits for a disk. */
import { writeSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

export interface ClaimWork {
  file: string
  /** Made by whoever wants the folder. */
  wanted: string
  renewMs: number
  lostMs: number
}

const { file, wanted, renewMs, lostMs } = workerData as ClaimWork
const LOOK_MS = 500
/** Codes for a file that another claim has removed. */
const GONE = new Set(['ENOENT', 'ESTALE'])

let renewed = performance.now()

function end(why: string): void {
  writeSync(2, `${why} The service has ended itself, so that no two write one folder.\n`)
  process.kill(process.pid, 'SIGKILL')
}

/** Changes only the file's time, which a full disk allows. It never comes back once it is gone. */
async function renew(): Promise<void> {
  const began = performance.now()
  const handle = await open(file, 'r+')
  try {
    const now = new Date()
    await handle.utimes(now, now)
  } finally {
    await handle.close()
  }
  renewed = began
}

async function isWanted(): Promise<boolean> {
  return rm(wanted).then(
    () => true,
    () => false,
  )
}

setInterval(() => {
  if (performance.now() - renewed >= lostMs) end(`The claim ${file} could not be renewed.`)
}, LOOK_MS)

for (;;) {
  await renew().catch((error: NodeJS.ErrnoException) => {
    if (GONE.has(error.code ?? '')) end('Another computer has taken over the data folder.')
  })
  if (await isWanted()) parentPort?.postMessage('wanted')
  await wait(renewMs)
}
