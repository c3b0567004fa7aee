// Types of the hosts that are run.

export declare const HOSTS: Record<string, { seed: number; replications: number }>;
