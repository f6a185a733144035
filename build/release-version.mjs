/**
 * The version of the files of a release, which names one commit: that of package.json where the changelog begins with its
 * section. What is not released yet comes before it in every order, by time and commit: `0.1.0-20261118201901.g4cc344e6`.
 * @param {{ version: string, changelog: string, commit: string, epoch: number }} state
 */
export function versionOfRelease({ version, changelog, commit, epoch }) {
  const [newest = '', ...others] = [...changelog.matchAll(/^## \[([^\]]+)\]/gm)].map(([, name = '']) => name)
  if (newest === version) return version
  if (newest !== 'Unreleased') throw new Error(`CHANGELOG.md begins with ${newest}, and package.json has ${version}.`)
  if (others.includes(version)) throw new Error(`${version} is released: give package.json the next version.`)
  const time = new Date(epoch * 1000).toISOString().replace(/\.\d+Z$|\D/g, '')
  return commit === 'unknown' ? `${version}-unknown` : `${version}-${time}.g${commit.slice(0, 8)}`
}

/** `~` comes before everything in Debian's order. @param {string} version */
export const debianVersion = (version) => version.replaceAll('-', '~')
