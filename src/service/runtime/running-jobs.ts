import { Listeners } from '../base/change.ts'
import type { FileJobInput } from './types.ts'

export class RunningJobs {
  readonly now = new Map<string, FileJobInput>()
  readonly changes = new Listeners<FileJobInput>()

  tell(job: FileJobInput): void {
    if (job.state === 'running') this.now.set(job.id, job)
    else this.now.delete(job.id)
    this.changes.tell(job)
  }
}
