/** The result of `work`, or undefined when it takes longer than `ms`. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  // A failure after the limit would have no listener.
  work.catch(() => {});
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Whether `work` succeeds within `ms`. */
export async function succeeds(ms: number, work: Promise<unknown>): Promise<boolean> {
  const done = await within(
    ms,
    work.then(
      () => true,
      () => false,
    ),
  );
  return done ?? false;
}
