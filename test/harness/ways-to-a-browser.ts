import { join } from 'node:path'

/** What has to be known of a machine to tell how it comes by a browser. */
export interface Machine {
  readonly platform: string
  readonly arch: string
  readonly isRoot: boolean
  /** `ID` in /etc/os-release. */
  readonly distribution: string
  /** The folders of PATH. */
  readonly folders: readonly string[]
  /** Where Playwright keeps the browser that it downloads. */
  readonly download: string
  /** What FURROW_CHROMIUM says. */
  readonly named: string | undefined
}

export type Way =
  | { readonly by: 'path'; readonly path: string }
  | { readonly by: 'package' }
  | { readonly by: 'command'; readonly command: string; readonly path: string }

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']

const usualPlaces: Readonly<Record<string, readonly string[]>> = {
  linux: ['/usr/lib/chromium/chromium', '/opt/google/chrome/chrome', '/snap/bin/chromium'],
  darwin: ['Chromium', 'Google Chrome'].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`),
}

const fromDebian = 'apt-get update && apt-get install -y chromium'
const fromPlaywright = 'npx playwright-core install --no-shell chromium'
/** Ubuntu has Chromium as a snap only; Playwright knows the system packages that its own needs. */
const withItsPackages = `${fromPlaywright} --with-deps`

/** In the order in which they are tried; where one is named, it or none. */
export function waysToABrowser(machine: Machine): readonly Way[] {
  if (machine.named !== undefined) return [{ by: 'path', path: machine.named }]
  return [
    ...installed(machine).map((path): Way => ({ by: 'path', path })),
    ...(machine.platform === 'linux' && machine.arch === 'x64' ? [{ by: 'package' } as const] : []),
    { by: 'path', path: machine.download },
    { by: 'command', command: fromPlaywright, path: machine.download },
    ...(machine.isRoot ? fromTheSystem(machine) : []),
  ]
}

const installed = ({ platform, folders }: Machine): readonly string[] => [
  ...names.flatMap((name) => folders.map((folder) => join(folder, name))),
  ...(usualPlaces[platform] ?? []),
]

function fromTheSystem({ distribution, download }: Machine): readonly Way[] {
  if (distribution === 'debian') return [{ by: 'command', command: fromDebian, path: '/usr/bin/chromium' }]
  if (distribution === 'ubuntu') return [{ by: 'command', command: withItsPackages, path: download }]
  return []
}

/** What to do where every way has failed. */
export function adviceFor({ named, distribution, isRoot }: Machine): string {
  if (named !== undefined) return `FURROW_CHROMIUM names ${named}, which is no Chromium that starts here.`
  const command = distribution === 'debian' ? fromDebian : withItsPackages
  const asRoot = isRoot || distribution !== 'debian' ? command : command.replaceAll('apt-get', 'sudo apt-get')
  return `The tests need Chromium or Chrome, and none could be found or fetched here. Run: ${asRoot}`
}
