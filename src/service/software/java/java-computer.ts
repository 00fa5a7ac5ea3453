/** The computer that a Java has to run on, in the words of Adoptium. */
export interface JavaComputer {
  os: 'linux' | 'alpine-linux' | 'mac' | 'windows'
  /** `x64`, `aarch64`, or as Node names others. */
  architecture: string
}

const ARCHITECTURES: Record<string, string> = { arm64: 'aarch64', ppc64: 'ppc64le', ia32: 'x86' }

/** This computer. Linux without the C library of GNU is one with musl, such as Alpine. */
export function thisComputer(): JavaComputer {
  const { platform, arch } = process
  const architecture = ARCHITECTURES[arch] ?? arch
  if (platform === 'win32') return { os: 'windows', architecture }
  if (platform === 'darwin') return { os: 'mac', architecture }
  return { os: usesMusl() ? 'alpine-linux' : 'linux', architecture }
}

/** It stays as it is while the service runs, and the report is some milliseconds of work at each start of a server. */
let musl: boolean | null = null

function usesMusl(): boolean {
  return (musl ??= readMusl())
}

function readMusl(): boolean {
  if (process.platform !== 'linux') return false
  // Not yet in the types.
  const report = process.report as typeof process.report & { excludeNetwork: boolean }
  const before = report.excludeNetwork
  try {
    // Names of network addresses would be looked up, which takes seconds.
    report.excludeNetwork = true
    const { header } = report.getReport() as { header?: { glibcVersionRuntime?: string } }
    return !header?.glibcVersionRuntime
  } finally {
    report.excludeNetwork = before
  }
}

/** Computers whose programs run on this one too, since its system translates them: Apple's by Rosetta, Windows' by its own. */
export const translatedOn = ({ os, architecture }: JavaComputer): JavaComputer[] =>
  architecture === 'aarch64' && (os === 'mac' || os === 'windows') ? [{ os, architecture: 'x64' }] : []

/** What `OS_ARCH` of a `release` file is in these words. */
const SAME: Record<string, string> = {
  x86_64: 'x64',
  amd64: 'x64',
  arm64: 'aarch64',
  i386: 'x86',
  i586: 'x86',
  i686: 'x86',
}

/** Whether a Java with these words in its `release` file can run there. What it does not say is taken for fitting. */
export function runsOn(
  computer: JavaComputer,
  { arch, libc }: { arch: string | null; libc: string | null },
): boolean {
  const { os, architecture } = computer
  const own = arch === null ? architecture : (SAME[arch] ?? arch)
  const runs = [computer, ...translatedOn(computer)].some((one) => one.architecture === own)
  if (!runs) return false
  if (os === 'linux') return libc !== 'musl'
  return os === 'alpine-linux' ? libc !== 'gnu' : true
}
