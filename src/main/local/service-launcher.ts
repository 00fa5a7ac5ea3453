import type { Stop } from '../../contract/bridge/bridge.ts'

/** `startAgain`: the running servers restart at its next start. */
export type PanelMessage =
  | { type: 'local-secret'; secret: string }
  | { type: 'stop'; startAgain?: true }
  | { type: 'proxy'; id: number; ways: string }

export interface ServiceProcess {
  send(message: PanelMessage): void
  onMessage(listener: (message: unknown) => void): Stop
  onExit(listener: (how: { code: number | null; lastWords: string }) => void): Stop
  kill(): void
  /** Whether it survives the panel, in the background. */
  readonly outlives?: boolean
  /** Version of a service already running in the background. */
  readonly foundVersion?: string | null
  /** Detaches if it outlives the panel, else ends it. Missing if it cannot outlive the panel. */
  leave?(): void
}

/** `fork` does not work in Electron: its runAsNode fuse is off. */
export interface ServiceLauncher {
  launch(args: string[]): ServiceProcess
}

/**
 * By default V8's young generation grows to many MB under fast output or large uploads. Its garbage keeps external
 * buffers alive (64 KiB per socket read), which triggers full collections on threads the upload needs: 500 MiB took
 * 1,148 ms at 1 MiB, 1,619 ms at 8. The old generation may grow by 60% between collections; V8's default is up to four
 * times.
 */
export const SERVICE_FLAGS: readonly string[] = ['--max-semi-space-size=1', '--heap-growing-percent=60']
