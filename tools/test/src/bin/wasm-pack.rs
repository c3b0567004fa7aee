//! wasm-pack at the version that this package pins.
use clap::Parser;

fn main() -> anyhow::Result<()> {
    env_logger::init();
    let args = wasm_pack::Cli::parse();
    wasm_pack::PBAR.set_log_level(args.log_level);
    wasm_pack::command::run_wasm_pack(args.cmd)
}
