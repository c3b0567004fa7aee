//! How each kind of I/O is driven: its times, by claimant, mode and kind of device.

use super::Claimant;
use crate::constants::{Constants, Driver};
use crate::scenario::{Channel, DeviceKind, Mechanism, Scenario};

/// How each kind of I/O is driven.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Drivers {
    paging: Driver,
    command: Driver,
    transport: Driver,
    edev: Driver,
    /// Connect time of each further run of slots in a channel program of paging, ns.
    run_ns: f64,
    server_ns: f64,
    svc_ns: f64,
}

impl Drivers {
    pub fn new(scenario: &Scenario, constants: &Constants) -> Self {
        let on_channel = |driver: Driver| match scenario.lcu.channel {
            Channel::Express8 => Driver { path_ns_per_page: constants.express8_path_ns_per_page, ..driver },
            Channel::Express8S => driver,
        };
        let paging = match (scenario.has(Mechanism::PagingZhpf), scenario.has(Mechanism::LargeBlocks)) {
            (true, _) => constants.transport_64,
            (false, true) => constants.command_64,
            (false, false) => constants.command_63,
        };
        Drivers {
            paging: on_channel(paging),
            command: on_channel(constants.guest_command),
            transport: on_channel(constants.guest_transport),
            edev: constants.edev,
            run_ns: match scenario.has(Mechanism::PagingZhpf) {
                true => constants.guest_transport.protocol_ns,
                false => constants.guest_command.protocol_ns,
            },
            server_ns: constants.server_ns,
            svc_ns: constants.svc_ns,
        }
    }

    /// What each further run of slots in a channel program of `claimant` to a volume of this kind adds to its connect time, in ns. Assumed:
    /// what a guest's channel program of one run exchanges besides its records; to an EDEV, another SCSI command. What the first run
    /// exchanges is in the time for each page, which was fitted on programs of one run.
    pub fn run_ns(&self, claimant: Claimant, kind: DeviceKind) -> f64 {
        match (claimant, kind.is_eckd()) {
            (Claimant::Mdisk, _) => 0.0,
            (Claimant::Paging, true) => self.run_ns,
            (Claimant::Paging, false) => self.edev.protocol_ns,
        }
    }

    /// How an I/O of `claimant` to a volume of this kind is driven. `transport` says whether a guest's I/O is in transport mode.
    pub fn of(&self, claimant: Claimant, transport: bool, kind: DeviceKind) -> Driver {
        let behind = |more_ns: f64| Driver { disconnect_ns: self.edev.disconnect_ns + more_ns, ..self.edev };
        match (kind, claimant, transport) {
            (DeviceKind::EdevDirect, ..) => self.edev,
            (DeviceKind::EdevSpinning | DeviceKind::EdevSsd, ..) => behind(self.server_ns),
            (DeviceKind::EdevSvc, ..) => behind(self.svc_ns),
            (_, Claimant::Paging, _) => self.paging,
            (_, Claimant::Mdisk, false) => self.command,
            (_, Claimant::Mdisk, true) => self.transport,
        }
    }
}

/// Mean time that a miss in the cache of the control unit waits for the disk.
pub(super) fn miss_ns(constants: &Constants, kind: DeviceKind) -> f64 {
    match kind {
        DeviceKind::EckdSpinning | DeviceKind::EdevSpinning => constants.spinning_miss_ns,
        DeviceKind::EckdSsd | DeviceKind::EdevSsd => constants.ssd_miss_ns,
        DeviceKind::EdevSvc | DeviceKind::EdevDirect => constants.flash_miss_ns,
    }
}
