// The hosts that are run, with their options: the command line ran them with the same.

export const HOSTS = {
  'small-command': { seed: 7, replications: 3 },
  relocation: { seed: 1, replications: 1 },
};
