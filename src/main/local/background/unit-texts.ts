/** What systems are told of the background service: a program with its arguments, and what becomes of it. */

/** So long a service may take to stop: its servers have 30 s to save their worlds, then they are stopped harder. Seconds. */
const STOP_SECONDS = 90

/** A name or path that no system can be told: it would begin a line, or is no text. */
function refuse(words: readonly string[], alsoIf = false): void {
  // eslint-disable-next-line no-control-regex -- these are what is looked for
  if (alsoIf || words.some((word) => /[\u0000-\u001f\u007f\ufffe\uffff]/.test(word) || !word.isWellFormed()))
    throw new Error('The program or its folder has a path that your system cannot start in the background.')
}

/** A word of a command line as systemd reads it: quoted, with `%` doubled, which begins a specifier. */
const forSystemd = (word: string): string =>
  `"${word.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%')}"`

/**
 * A unit of the user's systemd. It is started by the panel alone, and again where it fails. It is asked to end by a signal
 * to itself alone: game servers are stopped by it, in good order. Throws where a word cannot be written.
 */
export function systemdUnit(program: readonly string[]): string {
  const [file = '', ...args] = program
  // systemd takes no such name for a program, however it is written; for its words it does.
  refuse(program, /["'\\]/.test(file))
  return [
    '[Unit]',
    'Description=Wheelhouse: servers of this computer',
    'StartLimitIntervalSec=300',
    'StartLimitBurst=5',
    '',
    '[Service]',
    'Type=exec',
    // The colon: `$` means nothing.
    `ExecStart=${[`:${file}`, ...args].map(forSystemd).join(' ')}`,
    'Restart=on-failure',
    'RestartSec=5',
    // Whatever else ends, by itself or for want of memory, the servers are left to the service, which saves their worlds.
    'KillMode=process',
    'OOMPolicy=continue',
    `TimeoutStopSec=${STOP_SECONDS}`,
    'UMask=0077',
    '',
  ].join('\n')
}

const forXml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&apos;')

/** An agent of launchd, which runs only when it is told to, and again where it crashed. Throws as above. */
export function launchdAgent(label: string, program: readonly string[]): string {
  refuse([label, ...program])
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    '<plist version="1.0">',
    '<dict>',
    '  <key>Label</key>',
    `  <string>${forXml(label)}</string>`,
    '  <key>ProgramArguments</key>',
    '  <array>',
    ...program.map((word) => `    <string>${forXml(word)}</string>`),
    '  </array>',
    '  <key>KeepAlive</key>',
    '  <dict>',
    '    <key>Crashed</key>',
    '    <true/>',
    '  </dict>',
    '  <key>ThrottleInterval</key>',
    '  <integer>10</integer>',
    '  <key>ExitTimeOut</key>',
    `  <integer>${STOP_SECONDS}</integer>`,
    '  <key>Umask</key>',
    '  <integer>63</integer>',
    '</dict>',
    '</plist>',
    '',
  ].join('\n')
}

/** A word of a command line as programs of Windows read it: backslashes count only before a quote. */
const forWindows = (word: string): string =>
  `"${word.replaceAll(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1')}"`

/**
 * A task of Windows, in XML, which the file has to hold as UTF-16. It has no trigger: it runs when it is told to, on battery
 * too and without an end, and again where it fails. Throws as above.
 * @param user whose session it runs in, as `DOMAIN\name`
 */
export function scheduledTask(user: string, program: readonly string[]): string {
  refuse([user, ...program])
  const [file = '', ...args] = program
  return [
    '<?xml version="1.0" encoding="UTF-16"?>',
    '<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">',
    '  <RegistrationInfo>',
    '    <Description>Wheelhouse: servers of this computer</Description>',
    '  </RegistrationInfo>',
    '  <Principals>',
    '    <Principal id="Author">',
    `      <UserId>${forXml(user)}</UserId>`,
    '      <LogonType>InteractiveToken</LogonType>',
    '      <RunLevel>LeastPrivilege</RunLevel>',
    '    </Principal>',
    '  </Principals>',
    '  <Settings>',
    '    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>',
    '    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>',
    '    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>',
    '    <AllowHardTerminate>true</AllowHardTerminate>',
    '    <Hidden>true</Hidden>',
    '    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>',
    '    <Priority>5</Priority>',
    '    <RestartOnFailure>',
    '      <Interval>PT1M</Interval>',
    '      <Count>5</Count>',
    '    </RestartOnFailure>',
    '  </Settings>',
    '  <Actions Context="Author">',
    '    <Exec>',
    `      <Command>${forXml(file)}</Command>`,
    `      <Arguments>${forXml(args.map(forWindows).join(' '))}</Arguments>`,
    '    </Exec>',
    '  </Actions>',
    '</Task>',
    '',
  ].join('\r\n')
}
