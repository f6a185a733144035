// Makes everything that a release consists of in `release/`: `npm run release`. Two runs on one commit make the same bytes.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { optionsOfStart, root } from './program.mjs'
import {
  billOfMaterials,
  epoch,
  integrityOf,
  lockedPackage,
  makePackage,
  nativePackages,
  version,
} from './release-contents.mjs'
import { debianVersion } from './release-version.mjs'

const run = promisify(execFile)
const out = join(root, 'release')

/** Node as its own packages in the registry have it. */
const node = {
  version: '24.21.0',
  integrity: {
    arm64: 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
    x64: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
}

/** Debian's names of the processors. */
const debianNames = { arm64: 'arm64', x64: 'amd64' }
const processors = /** @type {const} */ (['arm64', 'x64'])
/** @typedef {(typeof processors)[number]} Processor */

process.env.SOURCE_DATE_EPOCH = String(epoch)

const folder = join(out, '.work/package')

async function makeRelease() {
  await rm(out, { recursive: true, force: true })
  await mkdir(out)
  await makePackage(folder)
  // The umask of who builds it is not part of it.
  await run('chmod', ['-R', 'u=rwX,go=rX', folder])
  await run('npm', ['pack', '--pack-destination', out], { cwd: folder })
  for (const processor of processors) {
    const tree = await makeTree(processor)
    await packTree(tree)
    await makeDebianPackage(tree, processor)
  }
  await cp(join(folder, 'sbom.cdx.json'), join(out, `furrow-${version}.sbom.cdx.json`))
  await rm(join(out, '.work'), { recursive: true })
  await writeFile(join(out, 'SHA256SUMS'), await sums())
  console.log(await readFile(join(out, 'SHA256SUMS'), 'utf8'))
}

/** The program with its packages and its own Node, as the archive has it. @param {Processor} processor */
async function makeTree(processor) {
  const tree = join(out, '.work', `furrow-${version}-linux-${processor}`)
  const program = join(tree, 'lib')
  await cp(folder, program, { recursive: true })
  for (const name of [...nativePackages, 'node-gyp-build'])
    await cp(join(root, 'node_modules', name), join(program, 'node_modules', name), {
      recursive: true,
      dereference: true,
    })
  await keepPrebuilt(join(program, 'node_modules/@photostructure/sqlite'), processor)
  const argon2 = `@node-rs/argon2-linux-${processor}-gnu`
  await fetchInto(join(program, 'node_modules', argon2), { name: argon2, ...lockedPackage(argon2) })
  const nodeFolder = join(out, '.work', `node-${processor}`)
  const ownNode = { version: node.version, integrity: node.integrity[processor], license: 'MIT' }
  const nodeName = `node-linux-${processor}`
  await fetchInto(nodeFolder, { name: nodeName, ...ownNode })
  const bill = billOfMaterials([
    [argon2, lockedPackage(argon2)],
    [nodeName, ownNode],
  ])
  await writeFile(join(program, 'sbom.cdx.json'), bill)
  await mkdir(join(tree, 'node'), { recursive: true })
  await rename(join(nodeFolder, 'bin/node'), join(tree, 'node/node'))
  await rename(join(nodeFolder, 'LICENSE'), join(tree, 'node/LICENSE'))
  await mkdir(join(tree, 'bin'))
  await writeFile(join(tree, 'bin/furrow'), starter)
  await chmod(join(tree, 'bin/furrow'), 0o755)
  return tree
}

/** Finds itself through links. */
const starter = `#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
exec "$here/../node/node" ${optionsOfStart().join(' ')} "$here/../lib/dist/main.cjs" "$@"
`

/** The driver brings machine code for every system. @param {string} driver @param {Processor} processor */
async function keepPrebuilt(driver, processor) {
  for (const name of ['src', 'scripts', 'binding.gyp']) await rm(join(driver, name), { recursive: true, force: true })
  for (const name of await readdir(join(driver, 'prebuilds')))
    if (name !== `linux-${processor}`) await rm(join(driver, 'prebuilds', name), { recursive: true })
  await rm(join(driver, `prebuilds/linux-${processor}/@photostructure+sqlite.musl.node`), { force: true })
  for (const name of await readdir(join(driver, 'dist')))
    if (name.endsWith('.map')) await rm(join(driver, 'dist', name))
}

/** A package from the registry, if it has the checksum. @param {string} target @param {{ name: string, version: string, integrity: string }} wanted */
async function fetchInto(target, { name, version: wanted, integrity }) {
  const work = await mkdtemp(join(tmpdir(), 'furrow-release-'))
  try {
    await run('npm', ['pack', `${name}@${wanted}`, '--pack-destination', work], { cwd: work })
    const [file = ''] = await readdir(work)
    const found = integrityOf(await readFile(join(work, file)))
    if (found !== integrity) throw new Error(`${name}@${wanted} has the checksum ${found} instead of ${integrity}`)
    await mkdir(target, { recursive: true })
    await run('tar', ['-xzf', join(work, file), '-C', target, '--strip-components=1', '--no-same-owner'])
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

/** Sorted, of one time and nobody's. @param {string} tree */
async function packTree(tree) {
  const name = tree.slice(tree.lastIndexOf('/') + 1)
  const form = [
    '--sort=name',
    `--mtime=@${epoch}`,
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '--mode=u+rw,go+rX,go-w',
  ]
  const archive = join(out, `${name}.tar`)
  await run('tar', [...form, '-cf', archive, '-C', dirname(tree), name])
  await run('gzip', ['-n', '-9', archive])
}

/** @param {string} tree @param {Processor} processor */
async function makeDebianPackage(tree, processor) {
  const stage = join(out, '.work', `deb-${processor}`)
  await mkdir(join(stage, 'usr/lib'), { recursive: true })
  await rename(tree, join(stage, 'usr/lib/furrow'))
  await mkdir(join(stage, 'usr/bin'))
  await symlink('../lib/furrow/bin/furrow', join(stage, 'usr/bin/furrow'))
  const units = join(stage, 'lib/systemd/system')
  await mkdir(units, { recursive: true })
  for (const name of (await readdir(join(root, 'deploy'))).filter((one) => /\.(service|timer)$/.test(one)))
    await writeFile(join(units, name), unitOfPackage(await readFile(join(root, 'deploy', name), 'utf8')))
  await mkdir(join(stage, 'etc'))
  await writeFile(join(stage, 'etc/furrow.conf'), settings)
  const documents = join(stage, 'usr/share/doc/furrow')
  await mkdir(documents, { recursive: true })
  await cp(join(root, 'LICENSE'), join(documents, 'copyright'))
  await cp(join(root, 'build/debian'), join(stage, 'DEBIAN'), { recursive: true })
  const control = (await readFile(join(stage, 'DEBIAN/control'), 'utf8'))
    .replace('VERSION', debianVersion(version))
    .replace('ARCHITECTURE', debianNames[processor])
  await writeFile(join(stage, 'DEBIAN/control'), control)
  await writeFile(join(stage, 'DEBIAN/conffiles'), '/etc/furrow.conf\n')
  for (const name of ['postinst', 'prerm', 'postrm']) await chmod(join(stage, 'DEBIAN', name), 0o755)
  await run('chmod', ['-R', 'u+rwX,go+rX,go-w', stage])
  const file = join(out, `furrow_${debianVersion(version)}_${debianNames[processor]}.deb`)
  // One thread: several divide the bytes otherwise.
  await run('dpkg-deb', ['--build', '--root-owner-group', '-Zxz', '-z3', '--threads-max=1', stage, file])
}

/** The units name an installation below /opt with the system's Node. @param {string} unit */
function unitOfPackage(unit) {
  return unit
    .replace(/^# (?:Install Furrow below|.*useradd|copy this file|Copy this file|then make|.*systemctl).*\n/gm, '')
    .replaceAll(/\/usr\/bin\/node (?:--\S+ )*\/opt\/furrow\/dist\/main\.cjs/g, '/usr/bin/furrow')
    .replaceAll('/opt/furrow/docs', '/usr/lib/furrow/lib/docs')
}

const settings = `# Settings of this farm, one on each line: every option of \`furrow serve\` as FURROW_….
#FURROW_HOST=0.0.0.0
#FURROW_BASE_URL=https://farm.example
#FURROW_RECIPIENT=age1…
`

async function sums() {
  const names = (await readdir(out)).sort()
  const lines = await Promise.all(
    names.map(
      async (name) =>
        `${createHash('sha256')
          .update(await readFile(join(out, name)))
          .digest('hex')}  ${name}\n`,
    ),
  )
  return lines.join('')
}

await makeRelease()
