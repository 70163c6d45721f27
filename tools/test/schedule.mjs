// Builds and runs side by side: one build at a time, at low priority on all processors, and beside it the suites that are
// built already, as many as the processors carry.

/** Runs `suites`; resolves when all are done. `build(name)` and `run(suite)` do the work; run also hears of a failed build. */
export async function schedule(suites, { processors, build, run }) {
  const builds = buildQueue(build);
  const room = slots(processors);
  await Promise.all(
    suites.map(async (suite) => {
      // All of a suite's builds are queued before the next suite's.
      const built = await Promise.allSettled(suite.builds.map(builds));
      const { reason } = built.find(({ status }) => status === 'rejected') ?? {};
      if (reason) return run(suite, reason);
      const taken = Math.min(suite.processors, processors);
      await room.take(taken);
      try {
        return await run(suite);
      } finally {
        room.give(taken);
      }
    }),
  );
}

/** Each name is built once, one after the other; a build that fails does not stop the next. */
function buildQueue(build) {
  const known = new Map();
  let last = Promise.resolve();
  return (name) => {
    if (!known.has(name)) {
      const result = last.then(() => build(name));
      known.set(name, result);
      last = result.catch(() => {});
    }
    return known.get(name);
  };
}

/** First come, first served. */
function slots(count) {
  let free = count;
  const waiting = [];
  const serve = () => {
    while (waiting.length > 0 && waiting[0].wanted <= free) {
      free -= waiting[0].wanted;
      waiting.shift().start();
    }
  };
  return {
    take: (wanted) =>
      new Promise((start) => {
        waiting.push({ wanted, start });
        serve();
      }),
    give: (returned) => {
      free += returned;
      serve();
    },
  };
}
