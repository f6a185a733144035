const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Takes what is unfinished away when the process is told to end, and then ends as it was told. */
export async function withdrawnIfInterrupted<T>(withdraw: () => void, work: () => Promise<T>): Promise<T> {
  const end = (signal: NodeJS.Signals) => {
    withdraw()
    letGo()
    process.kill(process.pid, signal)
  }
  const letGo = () => {
    for (const signal of signals) process.off(signal, end)
  }
  for (const signal of signals) process.on(signal, end)
  return work().finally(letGo)
}
