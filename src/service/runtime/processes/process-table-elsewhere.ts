import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { ProcessRow } from './process-table.ts'

const run = promisify(execFile)
const limits = { timeout: 10_000, maxBuffer: 16 * 1024 * 1024, windowsHide: true }

/** Without /proc: `ps` on macOS and BSD, PowerShell on Windows. */
export async function listElsewhere(): Promise<ProcessRow[]> {
  return process.platform === 'win32' ? listWindows() : listPs()
}

async function listPs(): Promise<ProcessRow[]> {
  const env = { ...process.env, LC_ALL: 'C' }
  const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat=,rss=,time=,lstart='], {
    ...limits,
    env,
  })
  return stdout.split('\n').flatMap((line) => {
    const [pid, parent, group, state, kib, time, ...started] = line.trim().split(/\s+/)
    if (!pid || !time || state?.startsWith('Z')) return []
    return [
      {
        pid: Number(pid),
        parent: Number(parent),
        group: Number(group),
        // Not available in usable form. The group suffices unless a child left both.
        session: -1,
        started: started.join(' '),
        cpuMs: clock(time),
        bytes: Number(kib) * 1024,
      },
    ]
  })
}

/** `[[days-]hours:]minutes:seconds[.hundredths]` → ms. */
function clock(text: string): number {
  const [days, rest] = text.includes('-') ? text.split('-') : ['0', text]
  const seconds = rest!.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
  return (Number(days) * 86_400 + seconds) * 1000
}

interface WindowsProcess {
  ProcessId: number
  ParentProcessId: number
  Started: string
  WorkingSetSize: number
  Time: number
}

async function listWindows(): Promise<ProcessRow[]> {
  const query =
    'Get-CimInstance Win32_Process | Select-Object ProcessId,ParentProcessId,WorkingSetSize,' +
    "@{n='Started';e={[string]$_.CreationDate.Ticks}},@{n='Time';e={($_.KernelModeTime+$_.UserModeTime)/10000}}" +
    ' | ConvertTo-Json -Compress'
  const { stdout } = await run('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', query], limits)
  const rows = JSON.parse(stdout) as WindowsProcess[]
  return rows.map((row) => ({
    pid: row.ProcessId,
    parent: row.ParentProcessId,
    group: -1,
    session: -1,
    started: row.Started,
    cpuMs: row.Time,
    bytes: row.WorkingSetSize,
  }))
}
