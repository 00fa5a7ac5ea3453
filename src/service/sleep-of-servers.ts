import type { AppOptions } from './app.ts'
import { iconIn } from './areas/servers/icon.ts'
import type { AllServerFiles } from './files/all-server-files.ts'
import type { logOf } from './log-of-servers.ts'
import { Sleep } from './sleep/sleep.ts'

export type { Sleep } from './sleep/sleep.ts'

export const openSleep = (
  { runtime, store, clock, log }: AppOptions,
  files: AllServerFiles,
  told: ReturnType<typeof logOf>,
): Sleep =>
  new Sleep({
    ...{ runtime, files, clock, log, told, marks: store.stats.marks },
    icon: (id) => iconIn(files.of(id)),
  })
