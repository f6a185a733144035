import { spawnSync } from 'node:child_process'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { builtMain, serve } from '../cli/built-furrow.ts'
import { emptyDirectory } from '../harness/databases.ts'
import { atEndOfFile } from '../harness/end-of-file.ts'
import { root } from '../house/tree.ts'
import type { Example } from './page.ts'

/** A program that bash runs, in a folder of programs. */
export async function program(folder: string, name: string, lines: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, name), `#!/usr/bin/env bash\nset -eu\n${lines}\n`)
  await chmod(join(folder, name), 0o755)
}

/** A PATH on which `furrow` is the built one, by that name and as `npx furrow`. */
export async function installedFurrow(): Promise<string> {
  const folder = await emptyDirectory()
  await program(folder, 'furrow', `exec '${process.execPath}' '${await builtMain()}' "$@"`)
  await program(folder, 'npx', '[ "$1" = furrow ] || { echo "npx $1 is not installed" >&2; exit 1; }\nexec "$@"')
  return `${folder}:${process.env.PATH}`
}

/** Starts each server as its example says, waits until it listens, and stops it. */
export async function serveAsShown(examples: readonly Example[]): Promise<void> {
  for (const { code } of examples) {
    const [, options = ''] = /^(?:npx )?furrow serve (.*)\n$/.exec(code) ?? []
    const server = await serve([...options.split(' '), '--data', await emptyDirectory()])
    const ended = await server.stop()
    if (ended !== 0) throw new Error(`${code} ended with ${ended}: ${server.output()}`)
  }
}

/** What docs/operating.md supposes of a machine: users, units, and where things are. */
export interface Machine {
  readonly env: Readonly<Record<string, string>>
  readonly instead: Readonly<Record<string, string>>
  readonly data: string
  readonly backups: string
}

/**
 * A machine in a folder of its own. Its `sudo` is already who it should be, and its `systemctl` starts and stops the
 * server and runs what a unit of deploy/ says.
 */
export async function operatedMachine(port: number): Promise<Machine> {
  const folder = await emptyDirectory()
  const [bin, data, backups] = [join(folder, 'bin'), join(folder, 'data'), join(folder, 'backups')]
  for (const one of [bin, data, backups]) await mkdir(one, { mode: 0o700 })
  const main = await builtMain()
  await program(
    bin,
    'sudo',
    `[ "$1" = --preserve-env=FURROW_DATABASE ] && shift || unset FURROW_DATABASE
[ "$1 $2" = '-u furrow' ] && shift 2
exec "$@"`,
  )
  await program(
    bin,
    'systemctl',
    `case "$*" in
  'stop furrow') kill "$(cat '${folder}/pid')"; while kill -0 "$(cat '${folder}/pid')" 2>/dev/null; do sleep 0.1; done ;;
  'start furrow')
    env -u FURROW_DATABASE FURROW_PORT=${port} FURROW_DATA='${data}' '${process.execPath}' '${main}' serve >'${folder}/log' 2>&1 &
    echo $! >'${folder}/pid' ;;
  'start furrow-backup.service')
    command=$(sed -n "s:^ExecStart=/bin/sh -c '\\(.*\\)'$:\\1:p" '${root}/deploy/furrow-backup.service' | sed 's:%%:%:g')
    command=\${command//\\/usr\\/bin\\/node \\/opt\\/furrow\\/dist\\/main.cjs/'${process.execPath}' '${main}'}
    FURROW_DATA='${data}' sh -c "\${command//\\/var\\/lib\\/furrow-backups/'${backups}'}" ;;
  daemon-reload | 'enable --now furrow-backup.timer') ;;
  *) echo "systemctl $* is not known here" >&2; exit 1 ;;
esac`,
  )
  atEndOfFile(async () => {
    const pid = Number(await readFile(join(folder, 'pid'), 'utf8').catch(() => '0'))
    if (pid > 0) spawnSync('kill', [String(pid)])
  })
  return {
    env: { PATH: `${bin}:${process.env.PATH}` },
    instead: {
      '/opt/furrow/dist/main.cjs': main,
      '/usr/local/bin': bin,
      '/var/lib/furrow-backups': backups,
      '/var/lib/furrow': data,
      'http://127.0.0.1:8080': `http://127.0.0.1:${port}`,
    },
    data,
    backups,
  }
}
