// What an old Node meets first: `npm start` loads it before the program, and the build puts it at the head of dist/main.cjs. So
// it is written in words that an old Node knows. `engines` in package.json says the same to `npm ci`.
function requireSupportedNode() {
  const version = process.versions.node
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isSupported = major >= 24 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19)
  if (isSupported) return
  process.stderr.write(
    `Furrow needs Node.js 20.19, 22.12, or 24 and newer, but this is ${version} (${process.execPath}). ` +
      'Install Node.js 24 (https://nodejs.org/en/download) and try again.\n',
  )
  process.exit(1)
}

requireSupportedNode()
